import lombok.Builder;
import lombok.Data;

@Data
@Builder
public class Bean {
    private final int number;
    private String name;
}
