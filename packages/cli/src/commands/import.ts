import { stat } from 'node:fs/promises'
import { relative, resolve } from 'node:path'
import { Readable } from 'node:stream'
import type { Transferable } from 'node:worker_threads'
import type { ImportResult } from '@worldwright/publish'
import type { ImportEvents, ImportFlags, OpenedEvent, TaskEvent } from '@worldwright/serve/loading'
import { areSmall, followLoad, isSmallStore, runInThread } from '@worldwright/serve/loading'
import {
  createRejectsFile,
  FAILED,
  Interrupted,
  type Io,
  isRead,
  jsonText,
  reportLines,
  say,
  shellWord,
  UsageFault,
  writeLine,
} from '@worldwright/serve/terminal'
import { createNamingHint } from '../terminal/naming-hint.ts'

const INTERRUPTED =
  'Interrupted. Nothing was loaded, and what was there before stands. Run the import again to load it.'

/** Loads all valid records of the files in one step. Returns exit code 1 if a record was rejected. */
export async function importFiles(files: string[], flags: ImportFlags, io: Io): Promise<number> {
  if (files.filter((file) => file === '-').length > 1)
    throw new UsageFault('The standard input can be read only once.')
  if (flags.to !== undefined) {
    const { importTo } = await import('./import-to.ts')
    return importTo(flags.to, flags, (into) => loadFiles(files, into, io), io)
  }
  const result = await loadFiles(files, flags, io)
  if (flags.json) await writeLine(io.stdout, jsonText(result))
  return result.rejected > 0 ? FAILED : 0
}

async function loadFiles(files: string[], flags: ImportFlags, io: Io): Promise<ImportResult> {
  let opened: OpenedEvent | undefined
  const hint = createNamingHint((source) => idAdvice(source, opened))
  const follow = (events: AsyncGenerator<TaskEvent, ImportResult>) =>
    followLoad(events, io, {
      onOpened: (event) => {
        opened = event
      },
      openRejects: () => createRejectsFile(opened?.rejects, isRead(opened?.rejects, files, io.cwd)),
      onReject: hint.note,
      idAdvice: (source) => idAdvice(source, opened),
      stopping: 'Stopping…',
    })
  const here = await isLittle(files, flags, io)
  const { result, warnings, rejects } = await (here
    ? importHere(files, flags, follow, io)
    : follow(importInThread(files, flags, io))
  ).catch((error: unknown) => {
    // The signal may have caused the error.
    throw io.signal.aborted ? new Interrupted(INTERRUPTED) : error
  })
  if (flags.dryRun) say(io, 'A dry run: nothing was loaded.')
  const lines = reportLines(result, warnings, rejects && relative(io.cwd, rejects))
  // Drop the summary, which would describe the temporary store.
  if (flags.to !== undefined && !flags.dryRun) lines.pop()
  for (const line of [...lines, ...hint.lines(result)]) say(io, line)
  return result
}

/** Estimates whether the import takes less time than starting a thread. */
async function isLittle(
  files: readonly string[],
  { store }: ImportFlags,
  { env, cwd }: Io,
): Promise<boolean> {
  const sources = await Promise.all(
    files.map(async (name) => {
      const found = name === '-' ? undefined : await stat(resolve(cwd, name)).catch(() => undefined)
      return { name, size: found?.isFile() ? found.size : undefined }
    }),
  )
  if (!areSmall(sources)) return false
  const { workspaceToFill } = await import('@worldwright/serve/open')
  return isSmallStore((await workspaceToFill(store, { env, cwd })).store)
}

async function importHere<Result>(
  files: readonly string[],
  flags: ImportFlags,
  follow: (events: ImportEvents) => Promise<Result>,
  { env, cwd, signal }: Io,
): Promise<Result> {
  const { importFiles } = await import('@worldwright/serve/loading')
  return importFiles({ files, flags, env, cwd }, follow, signal)
}

/** Imports in a thread, so that the main thread loads no code for definitions, formats and stores. */
async function* importInThread(
  files: readonly string[],
  flags: ImportFlags,
  { stdin, env, cwd, signal }: Io,
): AsyncGenerator<TaskEvent, ImportResult> {
  const input = files.includes('-') ? (stdin instanceof Readable ? stdin : Readable.from(stdin)) : undefined
  const stream = input && (Readable.toWeb(input) as ReadableStream<Uint8Array> & Transferable)
  try {
    return yield* runInThread(
      { task: 'importFiles', input: { files, flags, env: { ...env }, cwd, stdin: stream } },
      { signal, transfer: stream ? [stream] : [] },
    )
  } finally {
    // The process must not wait for unread input.
    input?.destroy()
  }
}

/** Returns advice on how to define the id for a source without ids. */
function idAdvice(source: string, opened: OpenedEvent | undefined): string {
  if (opened?.definition !== undefined)
    return `Name ${source} among the sources of ${opened.definition}, and say there what its id is.`
  const made =
    source === '-'
      ? 'write it to a file, then: npx worldwright init FILE'
      : `npx worldwright init ${shellWord(source)}`
  return `A definition says what the id is. Make one: ${made}`
}
