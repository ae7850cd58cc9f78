# What pint asks of the rules: pint --config dashboards/pint.hcl lint dashboards/rules

parser {
  include = ["dashboards/rules/.+"]
}

checks {
  # What needs a Prometheus is asked of a running one by tests/dashboards/test_live.py.
  disabled = ["promql/series", "alerts/count", "query/cost"]
}

rule {
  match {
    kind = "alerting"
  }

  label "severity" {
    severity = "bug"
    value    = "(critical|warning)"
    required = true
  }

  label "audience" {
    severity = "bug"
    value    = "(clinical|service)"
    required = true
  }

  annotation "summary" {
    severity = "bug"
    required = true
  }

  annotation "description" {
    severity = "bug"
    required = true
  }

  annotation "runbook_url" {
    severity = "bug"
    value    = "docs/runbooks/Auscult[A-Za-z]+\\.md"
    required = true
  }
}

rule {
  match {
    kind = "recording"
  }

  aggregate ".+" {
    severity = "bug"
    keep     = ["namespace", "job"]
    strip    = ["instance"]
  }

  name "(job|asr_provider|asr_model|signal):auscult_[a-z_]+:[a-z0-9_]+" {
    severity = "bug"
  }
}
