/** Places for the desk: the entities to compare, their comparison, the commands and the pinned views, loaded together. */
import { loaded, needed } from '../parts/loaded.tsx'
import { compared } from './compared.ts'

const desk = () => import('./desk.tsx')

const Tray = loaded(async () => (await desk()).Tray)

/** Tray of the entities to compare, if there are any. */
export function Desk({ origin }: { origin: string }) {
  return compared.of(origin) ? <Tray /> : null
}

/** Button that puts an entity into the tray. */
export const CompareButton = loaded(async () => (await desk()).CompareButton)

/** Page that compares entities side by side. */
export const Comparison = needed(async () => (await desk()).Comparison)
