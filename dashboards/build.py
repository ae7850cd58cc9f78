"""Writes the dashboards' JSON: `python -m dashboards.build`, after a change of what they show."""

import sys
from pathlib import Path
from typing import Final

from dashboards.clinical_safety import CLINICAL_SAFETY
from dashboards.panels import dashboard_json
from dashboards.service import SERVICE
from dashboards.signal_health import SIGNAL_HEALTH

FOLDER: Final = Path(__file__).parent
_PLANS: Final = (CLINICAL_SAFETY, SIGNAL_HEALTH, SERVICE)


def dashboard_files() -> dict[Path, str]:
    """Path and content of every dashboard."""
    return {
        FOLDER / f"{plan.name}.json": dashboard_json(
            plan, [(other.name, other.title) for other in _PLANS if other is not plan]
        )
        for plan in _PLANS
    }


def main() -> None:
    """Writes the dashboards whose content is another, and prints their names."""
    for path, content in dashboard_files().items():
        if not path.is_file() or path.read_text("utf-8") != content:
            path.write_text(content, "utf-8")
            sys.stdout.write(f"{path.name}\n")


if __name__ == "__main__":
    main()
