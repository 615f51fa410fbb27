using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [(name = "moons", worker = .moons)],
  sockets = [(name = "http", address = "127.0.0.1:8080", http = (), service = "moons")],
);

const moons :Workerd.Worker = (
  modules = [(name = "worker.js", esModule = embed "dist/worker.js")],
  compatibilityDate = "2026-11-01",
  bindings = [(name = "ORIGIN", fromEnvironment = "ORIGIN")],
);
