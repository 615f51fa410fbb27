import java.util.List;
import java.util.Map;
import org.opensearch.common.settings.Settings;
import org.opensearch.index.mapper.MapperExtrasPlugin;
import org.opensearch.node.InternalSettingsPreparer;
import org.opensearch.node.Node;
import org.opensearch.script.expression.ExpressionPlugin;
import org.opensearch.transport.Netty4Plugin;

/** One node with the modules on its class path. Arguments are settings, NAME=VALUE. It runs until it is killed. */
class OpenSearchNode extends Node {
  OpenSearchNode(Settings settings) {
    super(
        InternalSettingsPreparer.prepareEnvironment(settings, Map.of(), null, () -> "node"),
        List.of(Netty4Plugin.class, MapperExtrasPlugin.class, ExpressionPlugin.class),
        true);
  }

  public static void main(String[] arguments) throws Exception {
    Settings.Builder settings = Settings.builder();
    for (String argument : arguments) {
      int at = argument.indexOf('=');
      settings.put(argument.substring(0, at), argument.substring(at + 1));
    }
    new OpenSearchNode(settings.build()).start();
    Thread.currentThread().join();
  }
}
