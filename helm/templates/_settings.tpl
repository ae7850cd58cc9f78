{{/* The settings file. What the chart itself decides is laid over `settings`: the provider of the models, and where the
     mounted files of TLS are. */}}
{{- define "auscult.settings" -}}
{{- $settings := deepCopy .Values.settings -}}
{{- if .Values.gpu.enabled -}}
{{- $settings = mergeOverwrite $settings (dict "models" (dict "provider" "cuda")) -}}
{{- end -}}
{{- with .Values.kafka.tls -}}
{{- if .existingSecret -}}
{{- $files := dict -}}
{{- range $setting, $key := dict "ca_file" .caKey "certificate_file" .certificateKey "key_file" .keyKey -}}
{{- if $key }}{{ $_ := set $files $setting (printf "/etc/auscult/tls/%s" $key) }}{{ end -}}
{{- end -}}
{{- $settings = mergeOverwrite $settings (dict "kafka" (dict "security" $files)) -}}
{{- end -}}
{{- end -}}
{{ toToml $settings }}
{{- end }}

{{/* Variables: where the settings file is, the threads, and what is secret. */}}
{{- define "auscult.environment" -}}
- name: AUSCULT_CONFIG
  value: /etc/auscult/settings/auscult.toml
{{- $threads := include "auscult.threads" . }}
{{- if and $threads (not (dig "models" "threads" "" .Values.settings)) }}
- name: AUSCULT_MODELS__THREADS
  value: {{ $threads | quote }}
{{- end }}
{{- with .Values.kafka.sasl }}
{{- if .existingSecret }}
- name: AUSCULT_KAFKA__SECURITY__USERNAME
  valueFrom:
    secretKeyRef:
      name: {{ .existingSecret }}
      key: {{ .usernameKey }}
- name: AUSCULT_KAFKA__SECURITY__PASSWORD
  valueFrom:
    secretKeyRef:
      name: {{ .existingSecret }}
      key: {{ .passwordKey }}
{{- end }}
{{- end }}
{{- with .Values.kafka.tls }}
{{- if and .existingSecret .keyPasswordKey }}
- name: AUSCULT_KAFKA__SECURITY__KEY_PASSWORD
  valueFrom:
    secretKeyRef:
      name: {{ .existingSecret }}
      key: {{ .keyPasswordKey }}
{{- end }}
{{- end }}
{{- with .Values.extraEnv }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{/* Arguments: the root, and the name of the settings' ConfigMap. */}}
{{- define "auscult.volumes" -}}
{{- $root := index . 0 -}}
- name: settings
  configMap:
    name: {{ index . 1 }}
- name: tmp
  emptyDir: {}
{{- with $root.Values.kafka.tls }}
{{- if .existingSecret }}
- name: tls
  secret:
    secretName: {{ .existingSecret }}
    # For the group that the pod's files have: the service is not root.
    defaultMode: 0440
{{- end }}
{{- end }}
{{- with $root.Values.extraVolumes }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{- define "auscult.volumeMounts" -}}
- name: settings
  mountPath: /etc/auscult/settings
  readOnly: true
- name: tmp
  mountPath: /tmp
{{- if .Values.kafka.tls.existingSecret }}
- name: tls
  mountPath: /etc/auscult/tls
  readOnly: true
{{- end }}
{{- with .Values.extraVolumeMounts }}
{{ toYaml . }}
{{- end }}
{{- end }}
