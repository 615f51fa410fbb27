/** Showing how far an import has come: a bar on a terminal, a line now and then elsewhere. */
import type { ImportProgress } from '@worldwright/server'
import type { Io } from './io.ts'
import { columnsOf, say } from './output.ts'

/** Shows progress until it is ended. */
export interface ProgressDisplay {
  show(progress: ImportProgress): void
  /** Leaves no half-drawn line behind. */
  end(): void
}

/** Often enough to be seen moving. */
const REDRAW_MS = 100

/** Seldom enough not to fill a log. */
const LINE_MS = 10_000

const BAR_COLUMNS = 30

/** A display for this stderr. Our own few lines: a prompt library would also listen to the keyboard. */
export function createProgress(io: Io): ProgressDisplay {
  const bar = io.stderr.isTTY === true
  let last = bar ? Number.NEGATIVE_INFINITY : performance.now()
  let drawn = false
  return {
    show(progress) {
      const now = performance.now()
      if (now - last < (bar ? REDRAW_MS : LINE_MS)) return
      last = now
      if (!bar) return say(io, text(progress))
      drawn = true
      io.stderr.write(`\r\u001b[K${`${barOf(progress)}${text(progress)}`.slice(0, columnsOf(io.stderr) - 1)}`)
    },
    end() {
      if (drawn) io.stderr.write('\r\u001b[K')
      drawn = false
    },
  }
}

function barOf({ bytes, totalBytes }: ImportProgress): string {
  if (!totalBytes) return ''
  const full = Math.round(Math.min(1, bytes / totalBytes) * BAR_COLUMNS)
  return `${'█'.repeat(full)}${'░'.repeat(BAR_COLUMNS - full)} `
}

function text({ bytes, totalBytes, records }: ImportProgress): string {
  const read = totalBytes ? `${Math.floor((100 * bytes) / totalBytes)} %` : `${(bytes / 1e6).toFixed(1)} MB`
  return `${read}, ${records.toLocaleString('en')} records`
}
