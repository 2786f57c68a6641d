package plain;

import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** JUnit makes it, calls it, and keeps what it is given. */
final class Keeper implements BeforeEachCallback, ParameterResolver {
    private static final ExtensionContext.Namespace SPACE = ExtensionContext.Namespace.create(Keeper.class);

    @Override
    public void beforeEach(ExtensionContext context) {
        context.getStore(SPACE).put("kept", new Kept());
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == Kept.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        Object kept = context.getStore(SPACE).get("kept");
        return kept == null ? new Kept() : kept;
    }
}
