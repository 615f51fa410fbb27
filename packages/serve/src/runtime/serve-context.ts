/** Validates and reloads the definition and sources of a served world. */

import type { StoreLocation } from '@worldwright/engines'
import { actionFiles } from '@worldwright/extensions/action-files'
import { type ImportRefused, type LoadResult, readLook, readStories, worldId } from '@worldwright/publish'
import { isLoopback } from '../limits/is-loopback.ts'
import { checkLoaded } from '../loading/check-loaded.ts'
import { load } from '../loading/load.ts'
import { attachmentsFolder } from '../open/attachments-folder.ts'
import { waysWithoutPath } from '../open/origin.ts'
import { type SettingFlags, type Settings, settingsFrom } from '../open/settings.ts'
import { type Workspace, workspaceToServe } from '../open/workspace.ts'
import { rejectionLines } from '../terminal/import-report.ts'
import { type Io, UsageFault } from '../terminal/io.ts'
import { count, say, styled } from '../terminal/output.ts'
import { visible } from '../terminal/visible.ts'
import { composeWithActions, type ValidatedWorld, type WorldDeps } from './compose-world.ts'
import type { DamagedEntities } from './damaged-entities.ts'
import type { Frontend } from './frontend.ts'
import type { PrimaryStore } from './primary-store.ts'

/** Flags of `world serve`: all settings, and the store. */
export type ServeOptions = SettingFlags & { readonly store?: string }

/** State that does not change while a world is served. */
export interface ServeContext {
  /** Workspace at startup. */
  readonly workspace: Workspace
  readonly location: StoreLocation
  readonly settings: Settings
  readonly options: ServeOptions
  readonly store: PrimaryStore
  readonly damaged: DamagedEntities
  readonly deps: WorldDeps
  readonly io: Io
}

/** Settings whose changes require a restart. */
const FIXED = [
  'host',
  'port',
  'workers',
  'adminHost',
  'adminPort',
  'retentionDays',
  'rateLimit',
  'connectionsPerAddress',
  'search',
  'meaningModel',
  'meaningTypes',
] as const

/**
 * Returns the settings that a world is served with.
 * @throws UsageFault if a setting is invalid, if the public URL has a path, or if other machines can reach the world but no public URL is set
 */
export function servingSettings(
  { definition }: Pick<Workspace, 'definition'>,
  options: ServeOptions,
  io: Io,
): Settings {
  const settings = settingsFrom(definition, options, io)
  const { host, publicUrl, trustProxy, readOnly, operator, follow } = settings
  if (readOnly && (operator || follow !== undefined))
    throw new UsageFault(
      'What is read-only is not written to: leave out --read-only, or --operator and --follow.',
    )
  const url = URL.parse(publicUrl ?? '')
  if (url !== null && /^https?:$/.test(url.protocol) && url.pathname !== '/')
    throw new UsageFault(`publicUrl ${publicUrl} has a path. ${waysWithoutPath(url)}`)
  if (isLoopback(host) || publicUrl !== undefined || trustProxy) return settings
  throw new UsageFault(
    `Listening on ${host}, others can reach this world, and it has to know the address they use: ` +
      '--public-url URL, or --trust-proxy behind a proxy that names it.',
  )
}

/** Validates the definition and settings of a world before anything is loaded. @throws UsageFault, WorldIdFault */
export async function validate(
  { definition, file, folder }: Workspace,
  settings: Settings,
  deps: WorldDeps,
): Promise<ValidatedWorld> {
  const attachments = attachmentsFolder(definition.attachments, folder, file)
  const served = {
    id: await worldId(definition, deps.store),
    definition,
    settings,
    actionFiles: file === undefined ? [] : await actionFiles(folder),
    ...(attachments !== undefined && { attachments }),
    ...(file !== undefined && {
      stories: await readStories(folder),
      look: await readLook({ definition, file, folder }),
    }),
  }
  return { ...served, handler: await composeWithActions(served, deps) }
}

/**
 * Reloads the definition and sources. On failure, prints the reason on stderr and continues to serve the previous state.
 * Returns `again` if a retry may succeed, otherwise `done`.
 */
export async function reload(
  context: ServeContext,
  frontend: Frontend,
  why: 'files' | 'time',
): Promise<(ValidatedWorld & { readonly workspace: Workspace }) | 'again' | 'done'> {
  const { workspace, options, deps, io } = context
  try {
    // A load opens the store by name. If its file is gone, the load would fill a new file or that of a different world.
    await context.store.write([])
    const next = await workspaceToServe(workspace.file, options.store, io)
    const settings = servingSettings(next, options, io)
    const { retentionDays } = context.settings
    const validated = await validate(next, { ...settings, retentionDays }, deps)
    const result = await load({ ...next, store: workspace.store }, settings, true, io)
    await checkLoaded(validated.stories, next, deps.store, io)
    await frontend.replaceHandler(validated)
    // Do not report a refresh without changes, since the interval may be short.
    if (result || why === 'files') sayLoaded(result, io)
    if (
      FIXED.some((name) => String(settings[name]) !== String(context.settings[name])) ||
      next.store !== workspace.store ||
      JSON.stringify(next.definition.webhooks) !== JSON.stringify(workspace.definition.webhooks)
    )
      say(
        io,
        'Host, ports, workers, limits, retention, meaning, webhooks and store cannot change while serving; start again to change them.',
      )
    return { ...validated, workspace: next }
  } catch (error) {
    if (io.signal.aborted) return 'done'
    sayNotLoaded(error as Error, io)
    return isOfStore(error as Error) ? 'again' : 'done'
  }
}

/** Reports whether an error is a `StoreFault`. Compares names, because an error from a thread has lost its class. */
function isOfStore({ name }: Error): boolean {
  return name === 'StoreFault'
}

function sayLoaded(result: LoadResult | undefined, io: Io): void {
  if (!result) {
    say(io, 'The sources have not changed since they were loaded.')
    return
  }
  const excepted = differenceTexts(result)
  const isWhole = excepted.length === 0
  const said = isWhole
    ? styled(io.stderr, 'green', 'Loaded again; serving what the files say now.')
    : styled(io.stderr, 'yellow', `Loaded again, except that ${excepted.join('; ')}.`)
  say(io, said, isWhole ? 'info' : 'warn')
}

/** Describes how the served world differs from its sources. */
function differenceTexts({ rejected, kept, shadowed }: LoadResult): string[] {
  const all = kept.reduce((sum, { count }) => sum + count, 0)
  return [
    ...(rejected > 0
      ? [`${count(rejected, 'record')} ${rejected === 1 ? 'is' : 'are'} left out as bad`]
      : []),
    ...(all > 0
      ? [`${count(all, 'entity', 'entities')} that the sources do not hold ${all === 1 ? 'stays' : 'stay'}`]
      : []),
    ...(shadowed > 0
      ? [
          `${count(shadowed, 'entity', 'entities')} ${shadowed === 1 ? 'stays as others wrote it' : 'stay as others wrote them'}`,
        ]
      : []),
  ]
}

function sayNotLoaded(error: Error, io: Io): void {
  const why = isOfStore(error)
    ? 'NOT LOADED: the store could not take all of it. Trying again in 10 seconds.'
    : 'NOT LOADED: the files have errors; serving what they said before.'
  say(io, styled(io.stderr, ['bold', 'red'], why), 'error')
  const { name, message } = error
  const lines = name === 'ImportRefused' ? rejectionLines(error as ImportRefused) : [message]
  if (name === 'ImportShrunk') lines.push('Correct the file. If this is intended, start again to load it.')
  for (const line of lines.flatMap((text) => text.split('\n'))) say(io, `  ${visible(line)}`, 'error')
}
