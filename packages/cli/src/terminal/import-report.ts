/** What an import left out or warns of, in lines for people. */
import type { ImportResult, ImportWarning, Rejection } from '@worldwright/server'
import { count } from './output.ts'
import { visible } from './visible.ts'

/** The rejected records that were kept, a line for each fault, and how many more there are. */
export function rejectionLines({ rejected, rejections }: ImportResult): string[] {
  if (rejected === 0) return []
  const lines = [`${count(rejected, 'record')} rejected:`, ...rejections.flatMap(linesOf)]
  if (rejected > rejections.length)
    lines.push(`  … and ${(rejected - rejections.length).toLocaleString('en')} more`)
  return lines
}

/** Counts warnings and keeps the first: a large import may have as many as records. */
export interface WarningTally {
  note(warning: ImportWarning): void
  lines(): string[]
}

/** An empty tally. */
export function createWarningTally(): WarningTally {
  let first: ImportWarning | undefined
  let warnings = 0
  return {
    note(warning) {
      first ??= warning
      warnings++
    },
    lines() {
      if (!first) return []
      const { source, line, message } = first
      return [
        `warning: ${count(warnings, 'id')} not portable; the first: ${visible(`${source}:${line} ${message}`)}`,
      ]
    },
  }
}

function linesOf({ source, line, faults }: Rejection): string[] {
  return faults.map(({ pointer, reason, message }) => {
    const where = pointer === '' ? '' : ` ${pointer}`
    return visible(`  ${source}:${line}${where} ${reason}: ${message}`)
  })
}
