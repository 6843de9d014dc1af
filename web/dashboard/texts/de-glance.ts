import type { enGlance } from './en-glance.ts'

export const deGlance: typeof enGlance = {
  liveFeed: 'Live',
  pausedFeed: 'Angehalten',
  connecting: 'Verbindet',
  pause: 'Anhalten',
  goOn: 'Weiter',
  newRows: '{count} neu',
  allEvents: 'Alle Ereignisse',
}
