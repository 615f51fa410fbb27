/** List of label and value pairs. */
import type { ComponentChildren } from 'preact'
import { Text } from './text.tsx'

/** List of labels and values, one pair per row. `class` sets the layout. String values are untrusted and are escaped. */
export function FactList(props: {
  class: string
  facts: readonly (readonly [label: ComponentChildren, value: ComponentChildren])[]
  children?: ComponentChildren
}) {
  return (
    <dl class={props.class}>
      {props.facts.map(([label, value], index) => (
        <div key={index}>
          <dt>{label}</dt>
          <dd>{typeof value === 'string' ? <Text text={value} most={300} /> : value}</dd>
        </div>
      ))}
      {props.children}
    </dl>
  )
}
