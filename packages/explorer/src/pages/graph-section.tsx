/** Graph of an entity's references. It is loaded when the user opens it, and then stays open for every entity. */
import { signal } from '@preact/signals'
import type { Entity } from '@worldwright/client'
import { ReferenceGraph } from '../charts/charts.ts'
import { referencesOf } from '../data/references.ts'
import { useOpenWorld } from '../parts/world-context.ts'
import { answersQuestions } from '../question/askable.ts'
import { words } from '../words/words.ts'

/** Shared by all entities, so that a user who browses from entity to entity has to open the graph only once. */
const isOpen = signal(false)

/** Collapsible graph. Renders nothing if the entity has no references and the world does not support queries. */
export function GraphSection({ entity }: { entity: Entity }) {
  const { profile } = useOpenWorld()
  if (!answersQuestions(profile) && referencesOf(entity.attributes).length === 0) return null
  return (
    <details
      class="raw"
      open={isOpen.value}
      onToggle={(event) => {
        if (event.target === event.currentTarget) isOpen.value = event.currentTarget.open
      }}
    >
      <summary>
        <h2>{words.value.views.graph}</h2>
      </summary>
      {isOpen.value && <ReferenceGraph entity={entity} />}
    </details>
  )
}
