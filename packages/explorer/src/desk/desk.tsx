/** Desk of the open world. This module is loaded after its first page. */
import './desk.css'
import { needed } from '../parts/loaded.tsx'

export { Pins } from './pins.tsx'
export { CompareButton, Tray } from './tray.tsx'

/** The dialog of commands, loaded on first use. */
export const CommandDialog = needed(async () => (await import('./command-dialog.tsx')).CommandDialog)
