"""Writes the reference documents anew: `python -m deploy.documents`, which is `make docs`."""

from deploy.chart import write
from deploy.documents.files import document_files

if __name__ == "__main__":
    write(document_files())
