/** Runs a real OpenSearch cluster for tests, downloaded by Maven, with its data in a temporary folder. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { hash } from 'node:crypto'
import { once } from 'node:events'
import { chownSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

/** Running OpenSearch cluster that a test controls. */
export interface OpenSearchCluster {
  /** Address of each node as `HOST:PORT`, for use in index URLs. */
  readonly hosts: readonly string[]
  /** Kills a node without a clean shutdown. */
  kill(node: number): Promise<void>
  /** Restarts a killed node and waits until it responds. */
  start(node: number): Promise<void>
  /** Kills all nodes and removes their folder. */
  end(): Promise<void>
}

const HERE = fileURLToPath(new URL('node/', import.meta.url))
/** Cache folder. Its name contains a hash of `pom.xml` and `OpenSearchNode.java`. */
const CACHE = fileURLToPath(
  new URL(
    `../../../node_modules/.cache/opensearch-${contentOf('pom.xml', 'OpenSearchNode.java')}/`,
    import.meta.url,
  ),
)
const COPY = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies'

/** User to run nodes as: OpenSearch refuses to run as root, so a test that runs as root uses `nobody`. */
const OWNER = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}

/** Returns the reason to skip tests on this machine, or undefined if a cluster can run. Throws instead under `CI=true`. */
export function missingForOpenSearch(): string | undefined {
  const missing = ['java', 'javac', 'mvn'].filter((name) => !isProgram(name))
  if (missing.length === 0) return undefined
  const why = `not run: this machine has no ${missing.join(', no ')} for OpenSearch`
  if (process.env['CI'] === 'true') throw new Error(why)
  return why
}

/** Starts a cluster of `nodes` nodes, each with a heap of `megabytes` MB. */
export async function startOpenSearch(nodes = 1, megabytes = 384): Promise<OpenSearchCluster> {
  const classPath = broughtClasses()
  const folder = await mkdtemp(join(tmpdir(), 'opensearch-'))
  if (OWNER.uid !== undefined) chownSync(folder, OWNER.uid, OWNER.gid)
  const ports = await freePorts(2 * nodes)
  const http = ports.slice(0, nodes)
  const transport = ports.slice(nodes)
  const names = http.map((_, at) => `node-${at}`)
  const seeds = transport.map((port) => `127.0.0.1:${port}`).join()
  const running: (ChildProcess | undefined)[] = []
  const start = async (node: number) => {
    const settings = {
      'path.home': join(folder, names[node] as string),
      'cluster.name': folder,
      'node.name': names[node],
      'node.processors': 1,
      'network.host': '127.0.0.1',
      'http.port': http[node],
      'transport.port': transport[node],
      'discovery.seed_hosts': seeds,
      'cluster.initial_cluster_manager_nodes': names.join(),
      'cluster.routing.allocation.disk.threshold_enabled': false,
    }
    const args = Object.entries(settings).map(([name, value]) => `${name}=${value}`)
    const memory = [`-Xms${megabytes}m`, `-Xmx${megabytes}m`, '-XX:+UseSerialGC']
    const java = [...memory, '-Dlog4j2.disable.jmx=true', '-cp', classPath]
    const child = spawn('java', [...java, 'OpenSearchNode', ...args], {
      ...OWNER,
      cwd: folder,
      stdio: 'ignore',
    })
    running[node] = child
    await answers(child, `http://127.0.0.1:${http[node]}`, nodes)
  }
  const kill = async (node: number) => {
    const child = running[node]
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
  }
  const end = async () => {
    await Promise.all(names.map((_, node) => kill(node)))
    await rm(folder, { recursive: true, force: true })
  }
  try {
    await Promise.all(names.map((_, node) => start(node)))
  } catch (error) {
    await end()
    throw error
  }
  return { hosts: http.map((port) => `127.0.0.1:${port}`), kill, start, end }
}

/** Downloads the jars once and compiles the program. Returns the class path of a node. */
function broughtClasses(): string {
  if (!existsSync(CACHE)) {
    const brought = `${CACHE.slice(0, -1)}.${process.pid}`
    rmSync(brought, { recursive: true, force: true })
    mkdirSync(brought, { recursive: true })
    execFileSync(
      'mvn',
      ['-q', '-B', '-f', join(HERE, 'pom.xml'), COPY, `-DoutputDirectory=${brought}/jars`],
      {
        stdio: ['ignore', 'ignore', 'inherit'],
      },
    )
    execFileSync('javac', [
      '-cp',
      `${brought}/jars/*`,
      '-d',
      `${brought}/classes`,
      join(HERE, 'OpenSearchNode.java'),
    ])
    // Renamed atomically, since another test may be doing the same concurrently.
    try {
      renameSync(brought, CACHE)
    } catch {
      rmSync(brought, { recursive: true, force: true })
    }
  }
  return `${CACHE}jars/*:${CACHE}classes`
}

function contentOf(...files: string[]): string {
  return hash('sha256', files.map((file) => readFileSync(join(HERE, file), 'utf8')).join()).slice(0, 12)
}

function isProgram(name: string): boolean {
  const folders = (process.env['PATH'] ?? '').split(':')
  return folders.some((folder) => existsSync(join(folder, name)))
}

/** Waits until a node responds and has joined a cluster of `nodes` nodes. */
async function answers(child: ChildProcess, origin: string, nodes: number): Promise<void> {
  for (;;) {
    if (child.exitCode !== null || child.signalCode !== null)
      throw new Error('a node of OpenSearch has ended')
    try {
      const response = await fetch(`${origin}/_cluster/health?wait_for_nodes=${nodes}&timeout=5s`)
      if (response.ok) return
    } catch {
      // The node does not respond yet.
    }
    await setTimeout(50)
  }
}

async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'))
  await Promise.all(servers.map((server) => once(server, 'listening')))
  const ports = servers.map((server) => (server.address() as { port: number }).port)
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))))
  return ports
}
