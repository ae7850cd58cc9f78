"""How Auscult is put into operation: what the chart is made of, what the image holds, and what checks both."""
