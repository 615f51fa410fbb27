/** Where a scenario is played: worlds, and the client that is sent to them. */
import { Failure, Warning } from '../check/check.ts'
import { isObject, type JsonObject } from '../shapes/json.ts'
import { type CommandOptions, entitiesOf, failureOf, type Run, recordRun, resultsOf } from './run-client.ts'
import { type Client, runClient } from './runner.ts'
import {
  type Received,
  type Reply,
  type Script,
  type ScriptedWorld,
  scriptedWorld,
} from './scripted-world.ts'

/** How a client is checked. */
export interface StageOptions {
  /** Milliseconds for one run of the client. Default 20,000. */
  readonly timeout?: number
  /** Milliseconds to wait for a client to give up on a world that never answers. Default 35,000. */
  readonly giveUpMs?: number
  /** Wait longer for that, and call it a failure where it does not come. */
  readonly slow?: boolean
  /** Ends the run; a client that is running is killed. */
  readonly signal?: AbortSignal
}

/** What a played world answers, where it differs from an ordinary one. */
export interface Parts {
  /** The path of the API, or its whole URL. Default `/api/world/v0`. */
  readonly api?: string
  /** The discovery document, changed. */
  readonly document?: (document: Record<string, unknown>, before: readonly Received[]) => void
  /** Answers to discovery, to lists, entities and the action. `before` are the requests so far. */
  readonly discovery?: Script
  readonly list?: Script
  readonly entity?: Script
  readonly discover?: Script
  /** Answers to every other path. Default 404 `not_found`. */
  readonly elsewhere?: Script
}

const TIMEOUT_MS = 20_000
const WELL_KNOWN = '/.well-known/world.json'

/** One scenario's stage. What happens on it is in every failure. */
export class Stage {
  readonly options: StageOptions
  readonly #client: Client
  readonly #worlds: ScriptedWorld[] = []
  readonly #runs: Run[] = []

  constructor(client: Client, options: StageOptions = {}) {
    this.#client = client
    this.options = options
  }

  /** Plays a world. */
  async world(parts: Parts = {}): Promise<ScriptedWorld> {
    const world = await scriptedWorld((origin) => ordinary(origin, parts))
    this.#worlds.push(world)
    return world
  }

  /** Starts the client with these arguments and `--json`, and waits for its end. */
  async run(args: readonly string[], options: Partial<CommandOptions> = {}): Promise<Run> {
    const timeout = this.options.timeout ?? TIMEOUT_MS
    const run = await runClient(this.#client, [...args, '--json'], {
      timeout,
      signal: this.options.signal,
      ...options,
    })
    this.#runs.push(run)
    return run
  }

  /** Runs the client; fails unless it succeeds. */
  async succeed(args: readonly string[], options: Partial<CommandOptions> = {}): Promise<Run> {
    const run = await this.run(args, options)
    this.demand(!run.late, 'the client did not end in time')
    this.demand(run.exitCode === 0, `the client failed, with the exit code ${run.exitCode}`)
    return run
  }

  /** The one JSON object that the client prints; fails unless it succeeds with one. */
  async object(args: readonly string[]): Promise<JsonObject> {
    const [value, ...others] = resultsOf(await this.succeed(args))
    this.demand(isObject(value) && others.length === 0, 'stdout is not one JSON object')
    return value
  }

  /** The ids of the entities that the client prints; fails unless it succeeds. */
  async ids(args: readonly string[]): Promise<unknown[]> {
    const entities = entitiesOf(await this.succeed(args))
    return entities.map((entity) => (isObject(entity) ? entity['id'] : undefined))
  }

  /** Runs the client; fails unless it fails as agreed, with one of `codes`. Gives the error object. */
  async fail(
    args: readonly string[],
    codes: readonly string[],
    options: Partial<CommandOptions> = {},
  ): Promise<JsonObject> {
    return this.failure(await this.run(args, options), codes)
  }

  /** The error object of a run; fails unless it has one of `codes`. */
  failure(run: Run, codes: readonly string[]): JsonObject {
    const error = this.anyFailure(run)
    const { code } = error
    const right = codes.includes(String(code))
    this.demand(right, `the code is ${JSON.stringify(code)}, not ${codes.join(' or ')}`)
    return error
  }

  /** The error object of a run; fails unless the run failed as agreed, with whatever code. */
  anyFailure(run: Run): JsonObject {
    this.demand(!run.late, 'the client did not end in time')
    const error = failureOf(run)
    this.demand(run.exitCode !== 0, 'the client ended with the exit code 0')
    this.demand(error !== undefined, 'the last line of stderr is not a JSON object')
    // A bad argument may count as wrong usage of the command.
    const right = run.exitCode === 1 || (run.exitCode === 2 && error['code'] === 'invalid_argument')
    this.demand(right, `the exit code is ${run.exitCode}, not 1`)
    for (const name of ['status', 'code', 'details', 'url'])
      this.demand(name in error, `the error object has no member ${name}`)
    return error
  }

  /** Fails with everything that happened on this stage unless `condition` holds. */
  demand(condition: unknown, reason: string): asserts condition {
    if (condition) return
    const exchanges = this.#worlds.flatMap((world) => world.recorded())
    const runs = this.#runs.map((run) =>
      recordRun(typeof this.#client === 'function' ? ['client'] : this.#client, run),
    )
    throw new Failure(reason, exchanges.slice(0, MOST_SHOWN), runs)
  }

  /** Passes with a warning that says `reason` unless `condition` holds. */
  advise(condition: unknown, reason: string): void {
    if (condition) return
    throw new Warning(reason)
  }

  async close(): Promise<void> {
    await Promise.all(this.#worlds.map((world) => world.close()))
  }
}

/** Exchanges in one report: a client that goes in circles makes thousands. */
const MOST_SHOWN = 20

/** The requests that are not for the discovery document. */
export function apiRequests({ requests }: ScriptedWorld): Received[] {
  return requests.filter(({ path }) => path !== WELL_KNOWN)
}

/** The requests for the discovery document. */
export function discoveries({ requests }: ScriptedWorld): Received[] {
  return requests.filter(({ path }) => path === WELL_KNOWN)
}

/**
 * An address in normal form: what may be escaped or not is written one way, and so are the letters of escapes. That a
 * colon is escaped has a scenario of its own.
 */
export function normalForm(address: string): string {
  const [path = '', ...query] = address.split('?')
  const normal = path
    .replace(/^https?:\/\/[^/]*/, '')
    .split('/')
    .map(rewritten)
    .join('/')
  return [address.match(/^https?:\/\/[^/]*/)?.[0] ?? '', normal, ...query.map((one) => `?${one}`)].join('')
}

function rewritten(component: string): string {
  try {
    return encodeURIComponent(decodeURIComponent(component))
  } catch {
    return component
  }
}

/** An error as worlds send it. */
export function refusal(status: number, code: string, details?: unknown, message = 'Refused.'): Reply {
  return { status, json: { code, message, ...(details === undefined ? {} : { details }) } }
}

/** An entity as worlds send it. */
export function moon(id: string): JsonObject {
  return { type: 'sol:moon', id, title: id, attributes: {} }
}

function ordinary(origin: string, parts: Parts): Script {
  const { api = '/api/world/v0' } = parts
  const url = api.startsWith('/') ? origin + api : api
  const prefix = api.startsWith('/') ? api.replace(/\/$/, '') : '/api/world/v0'
  return (request, before) => {
    if (request.path === WELL_KNOWN) {
      if (parts.discovery !== undefined) return parts.discovery(request, before)
      const document = documentFor(url)
      parts.document?.(document, before)
      return { json: document }
    }
    const [, family, first = '', second] = request.path.startsWith(`${prefix}/`)
      ? request.path.slice(prefix.length).split('/')
      : []
    if (family === 'actions') return (parts.discover ?? ordinaryDiscover)(request, before)
    if (family !== 'entities') return parts.elsewhere?.(request, before) ?? refusal(404, 'not_found')
    if (second === undefined) return (parts.list ?? ordinaryList)(request, before)
    if (parts.entity !== undefined) return parts.entity(request, before)
    return { json: { type: decoded(first), id: decoded(second), attributes: {} } }
  }
}

/** The discovery document of an ordinary played world. */
export function documentFor(api: string): Record<string, unknown> {
  return {
    protocol: 'world/0.1',
    world: { id: 'urn:example:stage', name: 'Stage' },
    endpoints: { api },
    entityTypes: [{ type: 'sol:moon', title: 'Moon' }],
    actions: [{ name: 'wp:discover', safe: true }],
    limits: { list: { default: 50, max: 200 }, discover: { default: 20, max: 100 } },
    authentication: { required: false, schemes: [] },
    extensions: {},
    revision: '1',
  }
}

const ordinaryList: Script = () => ({ json: { entities: [moon('europa'), moon('io')], limit: 50, total: 2 } })

const ordinaryDiscover: Script = () => ({ json: found([moon('europa')]) })

/** An answer of the discovery action. */
export function found(entities: readonly JsonObject[]): JsonObject {
  const counts = { 'sol:moon': entities.length }
  const output = { entities, limit: 20, total: entities.length, counts, truncated: false, matched: [] }
  return { action: 'wp:discover', output }
}

function decoded(component: string): string {
  try {
    return decodeURIComponent(component)
  } catch {
    return component
  }
}
