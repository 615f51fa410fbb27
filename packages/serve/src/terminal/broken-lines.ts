import type { BrokenType } from '@worldwright/publish'
import { count } from './output.ts'
import { visible } from './visible.ts'

/** Reports entities that violate the schema of their type: a line per type, followed by its first entities. */
export function brokenLines(broken: readonly BrokenType[]): string[] {
  return broken.flatMap(({ type, count: all, examples }) => [
    `warning: ${type}: ${count(all, 'entity breaks', 'entities break')} the schema of the type:`,
    ...examples.map(({ id, fault }) => visible(`  ${id} ${fault}`)),
    ...(all > examples.length ? [`  … and ${(all - examples.length).toLocaleString('en')} more`] : []),
  ])
}
