/** Name of the key of a group. */
import type { JsonValue } from '@worldwright/client'
import { referenceIn } from '../data/values.ts'
import { Cell } from '../parts/cell.tsx'
import { ReferenceName } from '../parts/reference.tsx'
import type { By } from '../question/summary.ts'
import { words } from '../words/words.ts'
import { binText } from './group-text.ts'

/** Name of a key. A reference is shown by its title, as a link unless `isPlain` is set. */
export function GroupName({ value, by, isPlain }: { value: JsonValue; by: By; isPlain?: boolean }) {
  if (value === null) return <span class="soft">{words.value.views.noValue}</span>
  const reference = isPlain === true ? referenceIn(value) : undefined
  if (reference !== undefined) return <ReferenceName to={reference} />
  const bin = binText(value, by)
  return bin === undefined ? <Cell value={value} field={by.askable.field} /> : <span>{bin}</span>
}
