/** Facts as pairs of a label and a text. */
import { Text } from './text.tsx'

/** Labels with their values, one pair a row; `class` says how they stand. */
export function FactList(props: {
  class: string
  facts: readonly (readonly [label: string, value: string])[]
}) {
  return (
    <dl class={props.class}>
      {props.facts.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>
            <Text text={value} most={300} />
          </dd>
        </div>
      ))}
    </dl>
  )
}
