"""`python -m service.commands` is `auscult`, for where the script is not on the path."""

from service.commands import main

main()
