import { storeAt, storeUrl } from '@worldwright/engines'
import {
  describeUpstream,
  type FollowEvent,
  type FollowOptions,
  followWorld,
  type ReplicaStatus,
  statusAfter,
  statusOf,
  type UpstreamDescription,
} from '@worldwright/extensions/replica'
import { emptyDefinition, worldId } from '@worldwright/publish'
import { rateLimitFor } from '../limits/limits-for.ts'
import type { Log } from '../log/log.ts'
import { openExplorer } from '../open/explorer-files.ts'
import { originFrom } from '../open/origin.ts'
import { deletionsKeptMs, type Settings, shownSettings } from '../open/settings.ts'
import { fromEnv, type Io, UsageFault } from '../terminal/io.ts'
import { say } from '../terminal/output.ts'
import { type AdminServer, serveAdmin } from './admin-server.ts'
import { composeWorld, type ValidatedWorld, type WorldDeps } from './compose-world.ts'
import { DamagedEntities, damageReport } from './damaged-entities.ts'
import { FollowReport } from './follow-report.ts'
import type { Frontend, ServerDeps } from './frontend.ts'
import { greet } from './greet.ts'
import { meaningFrom } from './meaning-from.ts'
import { metricsFor } from './metrics-for.ts'
import { openDownloads } from './own-downloads.ts'
import { openFrontend } from './pool-frontend.ts'
import { primaryStore } from './primary-store.ts'
import { Readiness } from './readiness.ts'
import { renewOnHangup } from './renew-on-hangup.ts'
import { reportOf, stateReport } from './replica-status.ts'
import { type ServeContext, type ServeOptions, servingSettings } from './serve-context.ts'

/** Default store of a replica, in the current folder. */
const DEFAULT_REPLICA = 'sqlite:copy.db'

/** Serves a replica until the signal aborts, then drains requests and closes the store. @throws as `followWorld` */
export async function serveReplica(
  path: string | undefined,
  options: ServeOptions,
  io: Io,
  log: Log,
): Promise<number> {
  const settings = servingSettings({ definition: emptyDefinition() }, options, io)
  if (path !== undefined)
    throw new UsageFault(`A replica has no definition: give either ${path}, or --follow ${settings.follow}.`)
  if (settings.operator) throw new UsageFault('A replica takes no writes. Leave out --operator.')
  if (settings.seed !== undefined)
    throw new UsageFault('Only a node of a store in PostgreSQL has a seed. Leave out --seed.')
  const meaning = meaningFrom(settings, io.cwd)
  const origin = originFrom(settings.follow ?? '')
  const location = await storeAt(
    storeUrl(options.store ?? fromEnv(io, 'WORLD_STORE') ?? DEFAULT_REPLICA, io.cwd),
  )
  const opened = await location.open('writer', { deletionsKeptMs: deletionsKeptMs(settings) })
  try {
    const metrics = await metricsFor(settings, log)
    const rateLimit = rateLimitFor(settings)
    const damaged = new DamagedEntities(damageReport(log))
    const { search } = settings
    const store = await primaryStore(opened, { location, metrics, meaning, search, log, damaged })
    const description = await describeUpstream({ origin, store, ...requestsOf(settings, io) })
    if (description.isPrivate && !settings.private)
      throw new UsageFault(`${origin} is private, and so is its replica: add --private.`)
    await worldId({ ...emptyDefinition(), id: description.id }, store)
    const status = await statusOf(store)
    const explorer = await openExplorer()
    const downloads = await openDownloads(settings, location, store, log)
    try {
      const context = { location, settings, options, store, damaged, io }
      const deps = { metrics, rateLimit, log, downloads: downloads?.files, explorer, origin }
      await new ServedReplica({ ...context, ...deps }, description, status).serve()
    } finally {
      await downloads?.close()
      await metrics?.telemetry?.close()
    }
    await store.close()
  } finally {
    await opened.close()
  }
  return 0
}

function requestsOf({ token, tokenOrigin }: Settings, { fetch, signal }: Io) {
  const tokenOrigins = tokenOrigin?.map(originFrom)
  return { token, tokenOrigins, fetch, signal } as Omit<FollowOptions, 'origin' | 'store'>
}

interface ReplicaOptions
  extends Omit<ServeContext, 'workspace' | 'deps'>,
    Pick<ServerDeps, 'metrics' | 'rateLimit' | 'log' | 'downloads'>,
    Pick<WorldDeps, 'explorer'> {
  readonly origin: string
}

class ServedReplica {
  readonly #options: ReplicaOptions
  readonly #readiness: Readiness
  #status: ReplicaStatus
  #world: ValidatedWorld

  constructor(options: ReplicaOptions, description: UpstreamDescription, status: ReplicaStatus) {
    this.#options = options
    this.#status = status
    const { store, location, settings } = options
    this.#readiness = new Readiness({
      store,
      file: location.file,
      takesWrites: false,
      cluster: location.hasNoIndex && store.clusterState,
      status: () => this.#status,
      maxLag: settings.maxLag,
    })
    this.#world = this.#composed(description)
  }

  async serve(): Promise<void> {
    const { origin, location, store, settings, metrics, io } = this.#options
    const status = () => this.#status
    const frontend = await openFrontend(this.#world, { ...this.#options, storeUrl: location.url, status })
    renewOnHangup(frontend, io)
    metrics?.watchWorld(store, () => this.#world, frontend.url)
    metrics?.watchLag(status)
    this.#readiness.serving()
    const admin = await this.#openAdmin(frontend)
    try {
      if (this.#status.isReady) await this.#greet(frontend, admin?.url)
      else say(io, `Copying ${origin}. Until that is done, ${frontend.url} answers 503.`)
      const report = new FollowReport(origin, io)
      for await (const event of followWorld({ origin, store, ...requestsOf(settings, io) })) {
        report.note(event)
        if (event.event === 'described') {
          this.#world = this.#composed(event.description)
          await frontend.replaceHandler(this.#world)
        }
        if (await this.#moved(event, frontend)) await this.#greet(frontend, admin?.url)
      }
      say(io, 'Stopping.')
    } finally {
      this.#readiness.stopping()
      await frontend.close()
      admin?.close()
    }
  }

  #openAdmin(frontend: Frontend): Promise<AdminServer | undefined> {
    const { settings, options, metrics, io } = this.#options
    return serveAdmin(settings, {
      snapshots: async () => [
        ...(metrics ? [await metrics.snapshot()] : []),
        ...(await frontend.snapshots()),
      ],
      readiness: () => this.#readiness.report(),
      damaged: () => this.#options.damaged.list(this.#options.store),
      replica: () => reportOf(this.#status),
      cluster: stateReport(this.#options.store.clusterState),
      config: () => shownSettings(emptyDefinition(), options, io, undefined),
    })
  }

  /** Sends all processes the status after an event. Returns true if the replica has just become readable. */
  async #moved(event: FollowEvent, frontend: Frontend): Promise<boolean> {
    const before = this.#status
    this.#status = statusAfter(before, event, Date.now())
    const { isReady, isCurrent } = this.#status
    if (isReady !== before.isReady || isCurrent !== before.isCurrent) await frontend.noteStatus(this.#status)
    return isReady && !before.isReady
  }

  async #greet(frontend: Frontend, admin: string | undefined): Promise<void> {
    const { store, settings, explorer, io } = this.#options
    const addresses = { world: settings.publicUrl ?? frontend.url, admin, hasPage: explorer !== undefined }
    await greet(this.#world, store, settings, addresses, io)
  }

  #composed(upstream: UpstreamDescription): ValidatedWorld {
    const { origin, settings, metrics } = this.#options
    const { id, name, description, license, attribution, entityTypes: types, isPrivate } = upstream
    const definition = { ...emptyDefinition(), name, description, license, attribution, types }
    // If the upstream becomes private, the replica requires tokens too.
    const served = {
      id,
      definition,
      settings: { ...settings, private: settings.private || isPrivate },
      upstream: origin,
    }
    const deps: WorldDeps = {
      ...this.#options,
      status: () => this.#status,
      ...(metrics && { observe: metrics.observe, tracing: metrics.telemetry?.extension }),
    }
    return { ...served, handler: composeWorld(served, deps) }
  }
}
