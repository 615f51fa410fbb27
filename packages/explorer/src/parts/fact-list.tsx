/** Facts as pairs of a label and a value. */
import type { ComponentChildren } from 'preact'
import { Text } from './text.tsx'

/** Labels with their values, one pair a row; `class` sets the layout. A value that is a string is data of a world. */
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
