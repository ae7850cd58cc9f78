{{/* Quick to come, slow to go: every pod that comes or goes moves partitions, and their calls with them. */}}
{{- define "auscult.scalingBehaviour" -}}
scaleUp:
  stabilizationWindowSeconds: 60
scaleDown:
  stabilizationWindowSeconds: {{ .Values.autoscaling.cooldownSeconds }}
{{- end }}
