/** Collapsible JSON tree. Only unfolded parts are rendered, so that deep and long values cost nothing while folded. */
import type { JsonValue } from '@worldwright/client'
import { jsonOf } from '@worldwright/client/exact'
import { isNumber, isObject } from '@worldwright/extensions/shown'
import { useState } from 'preact/hooks'
import { counted, words } from '../words/words.ts'
import { CopyButton } from './copy-button.tsx'
import { MoreItems } from './more-items.tsx'
import { Text } from './text.tsx'

/** Number of members rendered initially. Further members are rendered on request. */
const AT_ONCE = 100
/** Number of levels unfolded initially. */
const OPEN_LEVELS = 2
/** Number of levels unfolded by "unfold all". */
const ALL_LEVELS = 12

/** JSON value as a collapsible tree, with buttons to copy, unfold and fold it. `what` names the value. */
export function JsonTree({ value, what }: { value: JsonValue; what: string }) {
  const [levels, setLevels] = useState(OPEN_LEVELS)
  const [drawn, setDrawn] = useState(0)
  const { entity } = words.value
  const unfold = (to: number) => {
    setLevels(to)
    // Each level keeps its own state, so a new key remounts the tree with the new number of levels.
    setDrawn(drawn + 1)
  }
  return (
    <div class="json">
      <div class="row tools">
        <button type="button" class="button small" onClick={() => unfold(ALL_LEVELS)}>
          {entity.expand}
        </button>
        <button type="button" class="button small" onClick={() => unfold(1)}>
          {entity.fold}
        </button>
        <CopyButton text={() => jsonOf(value, 2)} what={what} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard. */}
      <section class="json-body" dir="ltr" tabIndex={0} aria-label={what} key={drawn}>
        <Node value={value} level={0} levels={levels} />
      </section>
    </div>
  )
}

function Node(props: { name?: string; value: JsonValue; level: number; levels: number }) {
  const { name, value, level, levels } = props
  const inner = Array.isArray(value)
    ? value.map((item, index) => [String(index), item] as const)
    : isObject(value)
      ? Object.entries(value)
      : undefined
  const label =
    name === undefined ? null : (
      <span class="json-name">
        <Text text={name} most={200} />
      </span>
    )
  if (inner === undefined) {
    return (
      <div class="json-leaf">
        {label} <Leaf value={value} />
      </div>
    )
  }
  return <Fold label={label} inner={inner} isList={Array.isArray(value)} level={level} levels={levels} />
}

function Fold(props: {
  label: preact.ComponentChildren
  inner: readonly (readonly [string, JsonValue])[]
  isList: boolean
  level: number
  levels: number
}) {
  const { label, inner, isList, level, levels } = props
  const [isOpen, setOpen] = useState(level < levels)
  const [most, setMost] = useState(AT_ONCE)
  const { entity, list } = words.value
  const size = isList ? list.items(counted(inner.length)) : entity.members(counted(inner.length))
  return (
    <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        {label} <span class="json-size">{isList ? `[ ${size} ]` : `{ ${size} }`}</span>
      </summary>
      {isOpen && (
        <div class="json-inner">
          {inner.slice(0, most).map(([name, value]) => (
            <Node key={name} name={name} value={value} level={level + 1} levels={levels} />
          ))}
          <MoreItems left={inner.length - most} onMore={() => setMost(most + AT_ONCE * 5)} />
        </div>
      )}
    </details>
  )
}

function Leaf({ value }: { value: JsonValue }) {
  if (typeof value === 'string') {
    return (
      <span class="json-text">
        &quot;
        <Text text={value} />
        &quot;
      </span>
    )
  }
  return <span class={isNumber(value) ? 'json-number' : 'json-word'}>{String(value)}</span>
}
