"""What kinds of medical terms there are."""

from typing import Literal, get_args

Category = Literal["drug", "condition", "symptom", "anatomy", "procedure", "lab", "form"]
"""`form` is how a drug is taken: dose forms, routes and frequencies."""

CATEGORIES: tuple[Category, ...] = get_args(Category)
