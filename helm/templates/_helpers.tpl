{{- define "auscult.name" -}}
{{- if .Values.fullnameOverride -}}
{{ .Values.fullnameOverride | trunc 53 | trimSuffix "-" }}
{{- else -}}
{{- $name := default .Chart.Name .Values.nameOverride -}}
{{- if contains $name .Release.Name -}}
{{ .Release.Name | trunc 53 | trimSuffix "-" }}
{{- else -}}
{{ printf "%s-%s" .Release.Name $name | trunc 53 | trimSuffix "-" }}
{{- end -}}
{{- end -}}
{{- end }}

{{- define "auscult.labels" -}}
{{ include "auscult.instance" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{- end }}

{{- define "auscult.instance" -}}
app.kubernetes.io/name: {{ default .Chart.Name .Values.nameOverride }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{/* The pods that assess segments; those of the topics Job are others. */}}
{{- define "auscult.selector" -}}
{{ include "auscult.instance" . }}
app.kubernetes.io/component: monitor
{{- end }}

{{- define "auscult.serviceAccount" -}}
{{- if .Values.serviceAccount.create -}}
{{ default (include "auscult.name" .) .Values.serviceAccount.name }}
{{- else -}}
{{ default "default" .Values.serviceAccount.name }}
{{- end -}}
{{- end }}

{{- define "auscult.image" -}}
{{- with .Values.image -}}
{{- if .registry }}{{ .registry }}/{{ end }}{{ .repository }}
{{- if .digest -}}
@{{ .digest }}
{{- else -}}
:{{ default $.Chart.AppVersion .tag }}{{ if $.Values.gpu.enabled }}{{ $.Values.gpu.tagSuffix }}{{ end }}
{{- end -}}
{{- end -}}
{{- end }}

{{- define "auscult.podSecurity" -}}
runAsNonRoot: true
runAsUser: 10001
runAsGroup: 10001
fsGroup: 10001
seccompProfile:
  type: RuntimeDefault
{{- end }}

{{- define "auscult.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
{{- end }}

{{/* Whole CPUs of the limit, else of the request, at least 1; nothing where neither is there. Rounded down as the service
     itself rounds a quota: a thread more would be throttled. */}}
{{- define "auscult.threads" -}}
{{- $limits := default dict .Values.resources.limits -}}
{{- $requests := default dict .Values.resources.requests -}}
{{- $cpu := toString (default (default "" $requests.cpu) $limits.cpu) -}}
{{- if hasSuffix "m" $cpu -}}
{{ max 1 (div (trimSuffix "m" $cpu | int) 1000) }}
{{- else if $cpu -}}
{{ max 1 (floor (float64 $cpu) | int) }}
{{- end -}}
{{- end }}

{{- define "auscult.maxReplicas" -}}
{{ default .Values.settings.kafka.partitions .Values.autoscaling.maxReplicas | int }}
{{- end }}

{{- define "auscult.gracePeriod" -}}
{{- $drain := ceil .Values.settings.kafka.drain_seconds | int -}}
{{ default (add $drain 25) .Values.terminationGracePeriodSeconds | int }}
{{- end }}

{{/* Every topic that is read, by its whole name, as a JSON list. */}}
{{- define "auscult.inputTopics" -}}
{{- $kafka := .Values.settings.kafka -}}
{{- $topics := default dict $kafka.topics -}}
{{- $segments := printf "%s%s" (default "" $topics.prefix) (default "transcripts.segments" $topics.segments) -}}
{{ concat (list $segments) (keys (default dict $kafka.recogniser_topics) | sortAlpha) | toJson }}
{{- end }}
