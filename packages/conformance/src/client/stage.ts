/** The stage on which a scenario runs: serves scripted worlds and runs the client. */
import { defineCheck, Failure, Warning } from '../check/check.ts'
import { isObject, type JsonObject } from '../json/json.ts'
import { type CommandOptions, failureOf, type Run, recordRun, resultsOf, valuesOf } from './run-client.ts'
import { type Client, runClient } from './runner.ts'
import {
  type Received,
  type Reply,
  type Script,
  type ScriptedWorld,
  scriptedWorld,
} from './scripted-world.ts'

/** Time limits for the client, and an abort signal. */
export interface StageOptions {
  /** Timeout of a single run of the client, in milliseconds. Default 20,000. */
  readonly timeout?: number
  /** Milliseconds to wait for a client to give up on a world that never responds. Default 35,000. */
  readonly giveUpMs?: number
  /** If true, `giveUpMs` defaults to a longer time, and a client that has not given up by then fails. */
  readonly slow?: boolean
  /** Aborts the run and kills a running client. */
  readonly signal?: AbortSignal
}

/** Overrides for parts of an ordinary scripted world. */
export interface Parts {
  /** Path of the API, or its full URL. Default `/api/world/v0`. */
  readonly api?: string
  /** Modifies the discovery document in place. */
  readonly document?: (document: Record<string, unknown>, before: readonly Received[]) => void
  /** Scripts that respond to requests for the discovery document, lists, entities and the discovery action. */
  readonly discovery?: Script
  readonly list?: Script
  readonly entity?: Script
  readonly discover?: Script
  /** Script for every other path. Default: 404 `not_found`. */
  readonly elsewhere?: Script
}

const TIMEOUT_MS = 20_000
const WELL_KNOWN = '/.well-known/world.json'

/** Stage of a single scenario. The failures it throws contain the recorded exchanges and runs. */
export class Stage {
  readonly options: StageOptions
  readonly #client: Client
  readonly #worlds: ScriptedWorld[] = []
  readonly #runs: Run[] = []

  constructor(client: Client, options: StageOptions = {}) {
    this.#client = client
    this.options = options
  }

  /** Starts a scripted world on this stage. */
  async world(parts: Parts = {}): Promise<ScriptedWorld> {
    const world = await scriptedWorld((origin) => ordinary(origin, parts))
    this.#worlds.push(world)
    return world
  }

  /** Runs the client with `args` and `--json`, until it ends or times out. */
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

  /** Runs the client. Fails unless it succeeds in time. */
  async succeed(args: readonly string[], options: Partial<CommandOptions> = {}): Promise<Run> {
    const run = await this.run(args, options)
    this.demand(!run.late, 'the client did not end in time')
    this.demand(run.exitCode === 0, `the client failed, with the exit code ${run.exitCode}`)
    return run
  }

  /** Runs the client and returns the single JSON object it prints. Fails if the client fails or prints anything else. */
  async object(args: readonly string[]): Promise<JsonObject> {
    const [value, ...others] = resultsOf(await this.succeed(args))
    return this.demand(others.length === 0 && isObject(value) && value, 'stdout is not one JSON object')
  }

  /** Runs the client and returns the ids of the entities it prints. Fails unless the client succeeds. */
  async ids(args: readonly string[]): Promise<unknown[]> {
    return valuesOf(await this.succeed(args), 'id')
  }

  /** Runs the client. Fails unless it prints exactly the entities with these comma-separated ids, in this order. */
  async expectIds(args: readonly string[], ids: string): Promise<void> {
    const printed = (await this.ids(args)).join()
    this.demand(printed === ids, `the client printed ${printed || 'nothing'}`)
  }

  /** Runs the client and returns the error object it reports. Fails unless it has one of `codes` and `status` (if given). */
  async fail(args: readonly string[], codes: readonly string[], status?: number): Promise<JsonObject> {
    return this.failure(await this.run(args), codes, status)
  }

  /** Returns the error object of a run. Fails unless it has one of `codes` and, if given, this status. */
  failure(run: Run, codes: readonly string[], status?: number): JsonObject {
    const error = this.anyFailure(run, status)
    const { code } = error
    const right = codes.includes(String(code))
    this.demand(right, `the code is ${JSON.stringify(code)}, not ${codes.join(' or ')}`)
    return error
  }

  /** Returns the error object of a run. Fails unless the client failed and reported a valid error object with any code. */
  anyFailure(run: Run, status?: number): JsonObject {
    this.demand(!run.late, 'the client did not end in time')
    this.demand(run.exitCode !== 0, 'the client ended with the exit code 0')
    const error = this.demand(failureOf(run), 'the last line of stderr is not a JSON object')
    // A client may report a bad argument as a usage error of its command.
    const right = run.exitCode === 1 || (run.exitCode === 2 && error['code'] === 'invalid_argument')
    this.demand(right, `the exit code is ${run.exitCode}, not 1`)
    for (const name of ['status', 'code', 'details', 'url'])
      this.demand(name in error, `the error object has no member ${name}`)
    const same = status === undefined || error['status'] === status
    this.demand(same, `status is ${error['status']}, not ${status}`)
    return error
  }

  /** Fails unless the `url` of an error object is equivalent to `right`. */
  expectUrl({ url }: JsonObject, right: string): void {
    this.demand(normalForm(String(url)) === normalForm(right), `url is ${url}, not ${right}`)
  }

  /** Returns `found` if it is truthy; otherwise fails with the recorded exchanges and runs. */
  demand<Found>(found: Found, reason: string): Exclude<Found, undefined | null | false> {
    if (found) return found as Exclude<Found, undefined | null | false>
    const exchanges = this.#worlds.flatMap((world) => world.recorded())
    const runs = this.#runs.map((run) =>
      recordRun(typeof this.#client === 'function' ? ['client'] : this.#client, run),
    )
    throw new Failure(reason, exchanges.slice(0, MOST_SHOWN), runs)
  }

  /** Throws Warning with `reason` if `condition` is falsy. */
  advise(condition: unknown, reason: string): void {
    if (condition) return
    throw new Warning(reason)
  }

  async close(): Promise<void> {
    await Promise.all(this.#worlds.map((world) => world.close()))
  }
}

/** Defines a scenario for a client. */
export const scenario = defineCheck<Stage>

/** Maximum number of exchanges in a report: a client stuck in a loop sends thousands of requests. */
const MOST_SHOWN = 20

/** Returns the client arguments that get the moon Europa from a world. */
export function europa({ origin }: ScriptedWorld): string[] {
  return ['get', origin, 'sol:moon', 'europa']
}

/** Returns the client arguments that list every moon of a world. */
export function moons({ origin }: ScriptedWorld): string[] {
  return ['list', origin, 'sol:moon', '--all']
}

/** Returns the requests that a world received, except those for the discovery document. */
export function apiRequests({ requests }: ScriptedWorld): Received[] {
  return requests.filter(({ path }) => path !== WELL_KNOWN)
}

/** Returns the requests that a world received for the discovery document. */
export function discoveries({ requests }: ScriptedWorld): Received[] {
  return requests.filter(({ path }) => path === WELL_KNOWN)
}

/**
 * Re-encodes each path component of an address, so that addresses that differ only in optional escapes become equal. An
 * escaped and an unescaped colon become equal as well, because a separate scenario checks the colon.
 */
export function normalForm(address: string): string {
  const [, origin = '', path = '', query = ''] = /^(https?:\/\/[^/?]*)?([^?]*)(.*)$/s.exec(address) ?? []
  return origin + path.split('/').map(rewritten).join('/') + query
}

function rewritten(component: string): string {
  try {
    return encodeURIComponent(decodeURIComponent(component))
  } catch {
    return component
  }
}

/** Returns an error response in the standard form. */
export function refusal(status: number, code: string, details?: unknown, message = 'Refused.'): Reply {
  return { status, json: { code, message, ...(details === undefined ? {} : { details }) } }
}

/** Error page of a proxy that cannot reach the world behind it. */
export const BAD_GATEWAY = {
  status: 502,
  text: '<h1>Bad Gateway</h1>',
  headers: { 'content-type': 'text/html' },
}

/** Returns a moon as an entity in the standard form. */
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

/** Returns the discovery document of an ordinary scripted world whose API is at `api`. */
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

/** Returns a script that serves pages of these sizes. Each type has cursors of its own, and refuses all others. */
export function linked(...sizes: number[]): Script {
  return ({ path, query }) => {
    const type = decoded(path.split('/').at(-1) ?? '')
    const cursor = query.get('cursor') ?? `${type}/0`
    const at = sizes.findIndex((_, page) => cursor === `${type}/${page}`)
    if (at < 0) return refusal(400, 'invalid_cursor')
    const entities = Array.from({ length: sizes[at] ?? 0 }, (_, index) => ({
      ...moon(`${at}-${index}`),
      type,
    }))
    return { json: { entities, ...(at + 1 < sizes.length && { nextCursor: `${type}/${at + 1}` }) } }
  }
}

const ordinaryDiscover: Script = () => ({ json: found([moon('europa')]) })

/** Returns a response body for the discovery action, containing `entities`. */
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
