{{/* Values that are each allowed, but not together. The schema cannot say so. */}}
{{- define "auscult.checks" -}}
{{- $kafka := .Values.settings.kafka -}}
{{- $security := default dict $kafka.security -}}
{{- $partitions := $kafka.partitions | int -}}
{{- if eq .Values.autoscaling.mode "none" -}}
{{- if gt (.Values.replicas | int) $partitions -}}
{{- fail (printf "replicas: %d pods, but %d partitions (settings.kafka.partitions): the others would never be ready" (.Values.replicas | int) $partitions) -}}
{{- end -}}
{{- else -}}
{{- $most := include "auscult.maxReplicas" . | int -}}
{{- if gt $most $partitions -}}
{{- fail (printf "autoscaling.maxReplicas: %d pods, but %d partitions (settings.kafka.partitions): the others would never be ready" $most $partitions) -}}
{{- end -}}
{{- if gt (.Values.autoscaling.minReplicas | int) $most -}}
{{- fail (printf "autoscaling.minReplicas: %d is more than autoscaling.maxReplicas, %d" (.Values.autoscaling.minReplicas | int) $most) -}}
{{- end -}}
{{- end -}}
{{- $least := add (ceil $kafka.drain_seconds | int) 5 | int -}}
{{- if lt (include "auscult.gracePeriod" . | int) $least -}}
{{- fail (printf "terminationGracePeriodSeconds: must be at least %d, for settings.kafka.drain_seconds and closing connections" $least) -}}
{{- end -}}
{{- if and .Values.kafka.sasl.existingSecret (not $security.mechanism) -}}
{{- fail "kafka.sasl.existingSecret: needs settings.kafka.security.mechanism" -}}
{{- end -}}
{{- if and $security.mechanism (not .Values.kafka.sasl.existingSecret) (not .Values.extraEnv) (not .Values.extraEnvFrom) -}}
{{- fail "settings.kafka.security.mechanism: needs kafka.sasl.existingSecret" -}}
{{- end -}}
{{- if and .Values.kafka.tls.existingSecret (not $security.tls) -}}
{{- fail "kafka.tls.existingSecret: needs settings.kafka.security.tls: true" -}}
{{- end -}}
{{- end }}
