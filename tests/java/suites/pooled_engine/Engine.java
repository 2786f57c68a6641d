package pooled_engine;

import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.platform.engine.EngineDiscoveryRequest;
import org.junit.platform.engine.ExecutionRequest;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.engine.TestEngine;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.UniqueId;
import org.junit.platform.engine.support.descriptor.AbstractTestDescriptor;
import org.junit.platform.engine.support.descriptor.EngineDescriptor;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.core.LauncherConfig;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import pooled.Workers;

/** An engine that is none of JUnit's own: its identifiers have numbers, and sentences are shown, as Spock does. */
public final class Engine implements TestEngine {
    static int added; // test: Spec.adds 1 and 2 [a: 1, b: 2]
    static int removed; // test: Spec.removes (nothing)
    private static final Map<String, Test> TESTS = new LinkedHashMap<>();

    private interface Test {
        void run() throws Exception;
    }

    private static final class Node extends AbstractTestDescriptor {
        private final Type type;

        Node(UniqueId id, String shown, Type type) {
            super(id, shown);
            this.type = type;
        }

        @Override
        public Type getType() {
            return type;
        }
    }

    public static void main(String[] args) {
        TESTS.put("adds 1 and 2 [a: 1, b: 2]", () -> Workers.inPool(() -> added++));
        TESTS.put("removes (nothing)", () -> Workers.inPool(() -> removed++));
        LauncherConfig only =
                LauncherConfig.builder().enableTestEngineAutoRegistration(false).addTestEngines(new Engine()).build();
        Launcher launcher = LauncherFactory.create(only);
        launcher.execute(LauncherDiscoveryRequestBuilder.request().build());
    }

    @Override
    public String getId() {
        return "pooled";
    }

    @Override
    public TestDescriptor discover(EngineDiscoveryRequest request, UniqueId id) {
        TestDescriptor engine = new EngineDescriptor(id, "Pooled");
        UniqueId ofSpec = id.append("spec", "pooled_engine.Spec");
        TestDescriptor spec = new Node(ofSpec, "Spec", TestDescriptor.Type.CONTAINER);
        engine.addChild(spec);
        int number = 0;
        for (String shown : TESTS.keySet()) {
            UniqueId ofTest = ofSpec.append("feature", "$feature_0").append("iteration", String.valueOf(number++));
            spec.addChild(new Node(ofTest, shown, TestDescriptor.Type.TEST));
        }
        return engine;
    }

    @Override
    public void execute(ExecutionRequest request) {
        execute(request, request.getRootTestDescriptor());
    }

    private static void execute(ExecutionRequest request, TestDescriptor node) {
        request.getEngineExecutionListener().executionStarted(node);
        node.getChildren().forEach(child -> execute(request, child));
        TestExecutionResult result = TestExecutionResult.successful();
        try {
            if (node.isTest()) {
                TESTS.get(node.getDisplayName()).run();
            }
        } catch (Exception e) {
            result = TestExecutionResult.failed(e);
        }
        request.getEngineExecutionListener().executionFinished(node, result);
    }
}
