/** Tabs: one of several texts at a time. Keyboard and roles are Zag's. */
import { normalizeProps, useMachine } from '@zag-js/preact'
import * as tabs from '@zag-js/tabs'
import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'

/** One tab: its name and what it shows. */
export interface Tab {
  readonly value: string
  readonly label: string
  readonly content: () => ComponentChildren
}

/** Tabs with a name for the whole. The first one is open. */
export function Tabs({ label, items }: { label: string; items: readonly Tab[] }) {
  const service = useMachine(tabs.machine, { id: useId(), defaultValue: items[0]?.value ?? null })
  const api = tabs.connect(service, normalizeProps)
  return (
    <div {...api.getRootProps()} class="tabs">
      <div {...api.getListProps()} role="tablist" aria-label={label} class="tab-list">
        {items.map((item) => (
          <button {...api.getTriggerProps({ value: item.value })} key={item.value} type="button">
            {item.label}
          </button>
        ))}
      </div>
      {items.map((item) => (
        <div {...api.getContentProps({ value: item.value })} key={item.value}>
          {api.value === item.value && item.content()}
        </div>
      ))}
    </div>
  )
}
