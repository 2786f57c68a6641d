import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.store.ByteBuffersDirectory;

/** Four threads index, then search. */
public final class Lucene {
    public static void main(String[] args) throws Exception {
        ByteBuffersDirectory directory = new ByteBuffersDirectory();
        try (IndexWriter writer = new IndexWriter(directory, new IndexWriterConfig(new StandardAnalyzer()))) {
            ExecutorService pool = Executors.newFixedThreadPool(4);
            for (int i = 0; i < 400; i++) {
                int number = i;
                pool.submit(() -> writer.addDocument(document(number)));
            }
            pool.shutdown();
            pool.awaitTermination(1, TimeUnit.MINUTES);
            writer.commit();
        }
        try (DirectoryReader reader = DirectoryReader.open(directory)) {
            IndexSearcher searcher = new IndexSearcher(reader);
            for (String word : new String[] {"zero", "one", "two", "many"}) {
                System.out.println(word + " " + searcher.count(new TermQuery(new Term("text", word))));
            }
        }
    }

    private static Document document(int number) {
        Document document = new Document();
        document.add(new StringField("id", "d" + number, Field.Store.YES));
        String word = new String[] {"zero", "one", "two"}[number % 3];
        document.add(new TextField("text", word + " of many, number " + number, Field.Store.YES));
        return document;
    }
}
