import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * A world of rivers and the seas they reach: Level 1 of world/0.1, using only the JDK.
 *
 * <pre>java Rivers.java [PORT]        // 0 takes a free port; the origin is printed</pre>
 */
public final class Rivers {
  private static final String API = "/hydro/rest/7";
  private static final int PAGE = 8;
  private static final int MAX_PAGE = 30;

  private static final String DATA = """
      Nile|6650|Mediterranean Sea;Amazon|6400|Atlantic Ocean;Yangtze|6300|East China Sea;Mississippi|3766|Gulf of Mexico
      Yenisei|3487|Kara Sea;Yellow River|5464|Bohai Sea;Ob|3650|Kara Sea;Paraná|4880|Atlantic Ocean
      Congo|4700|Atlantic Ocean;Amur|2824|Sea of Okhotsk;Lena|4294|Laptev Sea;Mekong|4350|South China Sea
      Niger|4180|Atlantic Ocean;Volga|3531|Caspian Sea;Indus|3180|Arabian Sea;Brahmaputra|2900|Bay of Bengal
      Danube|2850|Black Sea;Zambezi|2574|Indian Ocean;Ganges|2525|Bay of Bengal;Ural|2428|Caspian Sea
      Dnieper|2201|Black Sea;Don|1870|Sea of Azov;Orinoco|2140|Atlantic Ocean;Rhine|1233|North Sea
      Elbe|1094|North Sea;Loire|1006|Atlantic Ocean;Tagus|1007|Atlantic Ocean;Vistula|1047|Baltic Sea
      Oder|854|Baltic Sea;Rhône|813|Mediterranean Sea;Ebro|930|Mediterranean Sea;Po|652|Adriatic Sea
      Seine|777|English Channel;Weser|452|North Sea;Thames|346|North Sea;Severn|354|Celtic Sea""";

  /** Entity with its type, slug, name and further properties. */
  record Thing(String type, String slug, String name, Map<String, Object> more) {
    Map<String, Object> json() {
      Map<String, Object> all = new LinkedHashMap<>();
      all.put("@type", type);
      all.put("slug", slug);
      all.put("label", name);
      all.putAll(more);
      return all;
    }
  }

  static final class Fault extends RuntimeException {
    final int status;
    final String code;

    Fault(int status, String code, String message) {
      super(message);
      this.status = status;
      this.code = code;
    }
  }

  private static final Map<String, TreeMap<String, Thing>> WORLD = new TreeMap<>();

  static {
    TreeMap<String, Thing> rivers = new TreeMap<>();
    TreeMap<String, Thing> seas = new TreeMap<>();
    for (String line : DATA.split("[;\n]")) {
      String[] cells = line.split("\\|");
      String sea = cells[2].strip();
      seas.put(slug(sea), new Thing("hydro:sea", slug(sea), sea, Map.of()));
      Map<String, Object> more = new LinkedHashMap<>();
      more.put("lengthKm", Integer.valueOf(cells[1]));
      more.put("mouth", Map.of("type", "hydro:sea", "id", slug(sea)));
      String name = cells[0].strip();
      rivers.put(slug(name), new Thing("hydro:river", slug(name), name, more));
    }
    WORLD.put("hydro:river", rivers);
    WORLD.put("hydro:sea", seas);
  }

  private static String slug(String name) {
    return name.toLowerCase().replace(' ', '_');
  }

  private static Object document(HttpExchange exchange) {
    String origin = "http://" + exchange.getRequestHeaders().getFirst("Host");
    List<Object> types = new ArrayList<>();
    WORLD.forEach((type, things) -> types.add(Map.of("name", type, "size", things.size())));
    Map<String, Object> document = new LinkedHashMap<>();
    document.put("protocol", "world/0.1");
    document.put("uri", "https://rivers.example/#world");
    document.put("endpoints", Map.of("api", origin + API));
    document.put("resourceTypes", types);
    document.put("supportedActions", List.of(Map.of("id", "wp:discover", "label", "Find by name")));
    return document;
  }

  private static TreeMap<String, Thing> things(String type) {
    TreeMap<String, Thing> found = WORLD.get(type);
    if (found == null) throw new Fault(404, "urn:problem:unknown-type", "No type " + type + ".");
    return found;
  }

  private static Object list(String type, Map<String, String> query) {
    TreeMap<String, Thing> all = things(type);
    String asked = query.getOrDefault("limit", String.valueOf(PAGE));
    if (!asked.matches("[0-9]{1,9}")) throw new Fault(400, "urn:problem:limit", "limit is a non-negative integer.");
    int limit = Math.min(Integer.parseInt(asked), MAX_PAGE);
    String cursor = query.get("cursor");
    if (cursor != null && !all.containsKey(cursor)) throw new Fault(400, "urn:problem:cursor", "Unknown cursor.");
    List<Object> results = new ArrayList<>();
    String last = null;
    for (Thing thing : (cursor == null ? all : all.tailMap(cursor, false)).values()) {
      if (results.size() == limit) break;
      results.add(thing.json());
      last = thing.slug();
    }
    Map<String, Object> page = new LinkedHashMap<>();
    page.put("results", results);
    // False on the last page.
    page.put("after", last == null || last.equals(all.lastKey()) ? false : last);
    return page;
  }

  private static Object get(String type, String slug) {
    Thing thing = things(type).get(slug);
    if (thing == null) throw new Fault(404, "urn:problem:not-found", "No " + type + " " + slug + ".");
    return thing.json();
  }

  private static final String STRING = "\"((?:[^\"\\\\]|\\\\.)*)\"";

  private static Object discover(String body) {
    Matcher input = Pattern.compile("\\{\\s*\"input\"\\s*:\\s*(\\{.*\\})\\s*\\}", Pattern.DOTALL).matcher(body.strip());
    if (!input.matches()) throw new Fault(400, "urn:problem:input", "The body is {\"input\": {…}}.");
    Matcher text = Pattern.compile("\"text\"\\s*:\\s*" + STRING).matcher(input.group(1));
    String wanted = text.find() ? unescaped(text.group(1)).toLowerCase() : "";
    Matcher types = Pattern.compile("\"types\"\\s*:\\s*\\[(.*?)\\]", Pattern.DOTALL).matcher(input.group(1));
    String filter = types.find() ? types.group(1) : "";
    Matcher limit = Pattern.compile("\"limit\"\\s*:\\s*([0-9]+)").matcher(input.group(1));
    int most = limit.find() ? Math.min(Integer.parseInt(limit.group(1)), MAX_PAGE) : PAGE;
    List<Object> hits = new ArrayList<>();
    for (TreeMap<String, Thing> all : WORLD.values())
      for (Thing thing : all.values()) {
        boolean ofType = filter.isBlank() || filter.contains('"' + thing.type() + '"');
        if (ofType && hits.size() < most && thing.name().toLowerCase().contains(wanted))
          hits.add(Map.of("rank", hits.size() + 1, "entity", thing.json()));
      }
    return Map.of("output", Map.of("hits", hits));
  }

  private static String unescaped(String text) {
    return Pattern.compile("\\\\u([0-9a-fA-F]{4})").matcher(text)
        .replaceAll(found -> Matcher.quoteReplacement("" + (char) Integer.parseInt(found.group(1), 16)))
        .replaceAll("\\\\(.)", "$1");
  }

  private static Object answer(HttpExchange exchange) throws IOException {
    String path = exchange.getRequestURI().getRawPath();
    String method = exchange.getRequestMethod().replace("HEAD", "GET");
    String[] parts = path.startsWith(API + "/") ? path.substring(API.length() + 1).split("/", -1) : new String[0];
    for (int i = 0; i < parts.length; i++) parts[i] = URLDecoder.decode(parts[i].replace("+", "%2B"), UTF_8);
    boolean isDocument = path.equals("/.well-known/world.json");
    boolean isRead = parts.length > 1 && parts.length < 4 && parts[0].equals("entities");
    boolean isDiscover = parts.length == 2 && parts[0].equals("actions") && parts[1].equals("wp:discover");
    if (!isDocument && !isRead && !isDiscover) throw new Fault(404, "urn:problem:no-route", "Nothing at " + path + ".");
    if (!method.equals(isDiscover ? "POST" : "GET")) throw new Fault(405, "urn:problem:method", "Another method, please.");
    if (isDocument) return document(exchange);
    if (isDiscover) return discover(new String(exchange.getRequestBody().readAllBytes(), UTF_8));
    return parts.length == 3 ? get(parts[1], parts[2]) : list(parts[1], query(exchange.getRequestURI().getRawQuery()));
  }

  private static Map<String, String> query(String raw) {
    Map<String, String> query = new LinkedHashMap<>();
    for (String pair : raw == null ? new String[0] : raw.split("&")) {
      String[] sides = pair.split("=", 2);
      query.put(URLDecoder.decode(sides[0], UTF_8), sides.length > 1 ? URLDecoder.decode(sides[1], UTF_8) : "");
    }
    return query;
  }

  private static String json(Object value) {
    if (value instanceof Map<?, ?> map)
      return map.entrySet().stream().map(one -> json(one.getKey()) + ":" + json(one.getValue()))
          .collect(java.util.stream.Collectors.joining(",", "{", "}"));
    if (value instanceof List<?> all)
      return all.stream().map(Rivers::json).collect(java.util.stream.Collectors.joining(",", "[", "]"));
    if (value instanceof String text) return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    return String.valueOf(value);
  }

  private static void serve(HttpExchange exchange) throws IOException {
    int status = 200;
    String type = "application/json";
    Object body;
    try {
      body = answer(exchange);
    } catch (Fault fault) {
      status = fault.status;
      type = "application/problem+json";
      body = Map.of("type", fault.code, "code", fault.code, "title", fault.getMessage(), "message", fault.getMessage(),
          "status", status);
    }
    byte[] bytes = json(body).getBytes(UTF_8);
    exchange.getResponseHeaders().set("Content-Type", type);
    boolean isHead = exchange.getRequestMethod().equals("HEAD");
    exchange.sendResponseHeaders(status, isHead ? -1 : bytes.length);
    try (exchange) {
      if (!isHead) exchange.getResponseBody().write(bytes);
    }
  }

  public static void main(String[] args) throws IOException {
    int port = args.length > 0 ? Integer.parseInt(args[0]) : 8000;
    // Head and body are two writes, and the second must not wait for the acknowledgement of the first.
    System.setProperty("sun.net.httpserver.nodelay", "true");
    HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
    server.createContext("/", Rivers::serve);
    server.setExecutor(Executors.newFixedThreadPool(4));
    server.start();
    System.out.println("http://127.0.0.1:" + server.getAddress().getPort());
  }
}
