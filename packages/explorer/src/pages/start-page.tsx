/** Where no world is open yet. */
import { words } from '../words/words.ts'
import { OpenBox, RecentWorlds } from './open-box.tsx'

/** Opens a world, or a recently opened one. */
export function StartPage() {
  const { start } = words.value
  return (
    <div class="page narrow start">
      <h1 class="display arrival" tabIndex={-1}>
        {start.title}
      </h1>
      <p class="lead">{start.text}</p>
      <OpenBox />
      <section>
        <h2>{start.recent}</h2>
        <RecentWorlds />
      </section>
    </div>
  )
}
