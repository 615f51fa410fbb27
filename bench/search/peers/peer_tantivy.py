"""Answers questions with Tantivy: `peer_tantivy.py exact|fuzzy DOCUMENTS QUESTIONS`, two files of lines.

A document is its title, a tab and its body. Writes a line for each question: milliseconds, then the numbers of at most ten
documents, best first.
"""
import sys
import time

from tantivy import Document, Filter, Index, Occur, Query, SchemaBuilder, TextAnalyzerBuilder, Tokenizer

FIELDS = {"title": 2.0, "body": 1.0}
# Weight of a misspelled word or a prefix, for which Tantivy has a constant score.
GUESS = 1.0


def analyzer():
    words = TextAnalyzerBuilder(Tokenizer.simple()).filter(Filter.remove_long(60)).filter(Filter.lowercase())
    return words.filter(Filter.ascii_fold()).filter(Filter.stemmer("english")).build()


def index_of(file):
    builder = SchemaBuilder()
    builder.add_unsigned_field("number", stored=True)
    for field in FIELDS:
        builder.add_text_field(field, tokenizer_name="stems")
    schema = builder.build()
    index = Index(schema)
    index.register_tokenizer("stems", analyzer())
    writer = index.writer(heap_size=200_000_000, num_threads=1)
    with open(file, encoding="utf8", newline="\n") as lines:
        for number, line in enumerate(lines):
            title, body = line.rstrip("\n").split("\t", 1)
            document = Document(title=title, body=body)
            document.add_unsigned("number", number)
            writer.add_document(document)
    writer.commit()
    writer.wait_merging_threads()
    index.reload()
    return schema, index


def query_of(schema, words, fuzzy):
    """Any of the words, each by its better field; guesses beside them."""
    any_word = []
    for at, word in enumerate(words[:200]):
        ways = []
        for field, boost in FIELDS.items():
            ways.append(Query.boost_query(Query.term_query(schema, field, word), boost))
            guesses = []
            if at == len(words) - 1:
                guesses.append(Query.fuzzy_term_query(schema, field, word, distance=0, prefix=True))
            if fuzzy and len(word) >= 3:
                distance = 1 if len(word) < 6 else 2
                guesses.append(Query.fuzzy_term_query(schema, field, word, distance=distance))
            ways += [Query.boost_query(guess, boost * GUESS) for guess in guesses]
        any_word.append((Occur.Should, Query.disjunction_max_query(ways, 0.1)))
    return Query.boolean_query(any_word)


def main(how, documents, questions):
    schema, index = index_of(documents)
    searcher = index.searcher()
    stems = analyzer()
    with open(questions, encoding="utf8", newline="\n") as lines:
        for line in lines:
            began = time.perf_counter()
            query = query_of(schema, stems.analyze(line.rstrip("\n")), how == "fuzzy")
            hits = searcher.search(query, 10, count=False).hits
            found = [searcher.doc(address)["number"][0] for _, address in hits]
            print((time.perf_counter() - began) * 1000, *found)


main(*sys.argv[1:])
