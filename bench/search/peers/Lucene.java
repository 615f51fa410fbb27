import java.io.*;
import java.nio.charset.StandardCharsets;
import java.nio.file.*;
import java.util.*;
import org.apache.lucene.analysis.*;
import org.apache.lucene.analysis.cjk.CJKBigramFilter;
import org.apache.lucene.analysis.en.PorterStemFilter;
import org.apache.lucene.analysis.icu.ICUFoldingFilter;
import org.apache.lucene.analysis.icu.segmentation.*;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;
import org.apache.lucene.document.*;
import org.apache.lucene.index.*;
import org.apache.lucene.search.*;
import org.apache.lucene.store.*;

/**
 * Answers questions with Lucene: `Lucene exact|fuzzy DOCUMENTS QUESTIONS`, two files of lines. A document is its title, a
 * tab and its body. Writes a line for each question: milliseconds, then the numbers of at most ten documents, best first.
 */
class Lucene {
  static final String[] FIELDS = {"title", "body"};
  static final float[] BOOSTS = {2f, 1f};
  /** Weight of a misspelled word or a prefix, relative to the exact word. */
  static final float GUESS = 0.5f;

  static final Analyzer ANALYZER = new Analyzer() {
    @Override
    protected TokenStreamComponents createComponents(String field) {
      Tokenizer words = new ICUTokenizer(new DefaultICUTokenizerConfig(false, true));
      TokenStream folded = new ICUFoldingFilter(words);
      return new TokenStreamComponents(words, new PorterStemFilter(new CJKBigramFilter(folded)));
    }
  };

  public static void main(String[] args) throws IOException {
    boolean fuzzy = args[0].equals("fuzzy");
    Directory directory = new ByteBuffersDirectory();
    try (IndexWriter writer = new IndexWriter(directory, new IndexWriterConfig(ANALYZER));
        BufferedReader lines = Files.newBufferedReader(Path.of(args[1]))) {
      for (String line; (line = lines.readLine()) != null; ) {
        int tab = line.indexOf('\t');
        Document document = new Document();
        document.add(new TextField("title", line.substring(0, tab), Field.Store.NO));
        document.add(new TextField("body", line.substring(tab + 1), Field.Store.NO));
        writer.addDocument(document);
      }
      writer.forceMerge(1);
    }
    IndexSearcher searcher = new IndexSearcher(DirectoryReader.open(directory));
    PrintStream out = new PrintStream(new FileOutputStream(FileDescriptor.out), false, StandardCharsets.UTF_8);
    for (String question : Files.readAllLines(Path.of(args[2]))) {
      long began = System.nanoTime();
      StringBuilder found = new StringBuilder();
      for (ScoreDoc hit : searcher.search(queryOf(question, fuzzy), 10).scoreDocs) found.append(' ').append(hit.doc);
      out.println((System.nanoTime() - began) / 1e6 + found.toString());
    }
    out.flush();
  }

  /** Matches any of the words, each scored by its better field, along with guesses of lower weight. */
  static Query queryOf(String question, boolean fuzzy) throws IOException {
    List<String> words = wordsOf(question);
    BooleanQuery.Builder any = new BooleanQuery.Builder();
    for (int at = 0; at < words.size() && at < 200; at++) {
      List<Query> ways = new ArrayList<>();
      for (int field = 0; field < FIELDS.length; field++) {
        Term term = new Term(FIELDS[field], words.get(at));
        ways.add(new BoostQuery(new TermQuery(term), BOOSTS[field]));
        if (at == words.size() - 1) ways.add(new BoostQuery(new PrefixQuery(term), BOOSTS[field] * GUESS));
        if (fuzzy) ways.add(new BoostQuery(near(term), BOOSTS[field] * GUESS));
      }
      any.add(new DisjunctionMaxQuery(ways, 0.1f), BooleanClause.Occur.SHOULD);
    }
    return any.build();
  }

  /** Allows no error below three letters, one up to five letters, and two above. The first letter must match. */
  static Query near(Term term) {
    int letters = term.text().codePointCount(0, term.text().length());
    int edits = letters < 3 ? 0 : letters < 6 ? 1 : 2;
    return edits == 0 ? new TermQuery(term) : new FuzzyQuery(term, edits, 1, 50, true);
  }

  static List<String> wordsOf(String question) throws IOException {
    List<String> words = new ArrayList<>();
    try (TokenStream stream = ANALYZER.tokenStream("title", question)) {
      CharTermAttribute term = stream.addAttribute(CharTermAttribute.class);
      stream.reset();
      while (stream.incrementToken()) words.add(term.toString());
      stream.end();
    }
    return words;
  }
}
