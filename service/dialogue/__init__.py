"""Reading the dialogue: words, lines, questions and answers, assertions. Text in, plain data out, no models."""
