/** Name of the key of a group. */
import type { JsonValue } from '@worldwright/client'
import { Cell } from '../parts/cell.tsx'
import type { By } from '../question/summary.ts'
import { words } from '../words/words.ts'
import { binText } from './group-text.ts'

/** Name of a key. A reference is a link with the title of its target. */
export function GroupName({ value, by }: { value: JsonValue; by: By }) {
  if (value === null) return <span class="soft">{words.value.views.noValue}</span>
  const bin = binText(value, by)
  return bin === undefined ? <Cell value={value} field={by.askable.field} /> : <span>{bin}</span>
}
