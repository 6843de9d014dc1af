import { textsOf } from '../../shared/language.ts'
import { language } from '../texts/texts.ts'

const en = {
  more: 'Pressed anywhere but in a field. What is off stays off in this browser.',
  search: 'Find anything, or create it',
  acts: {
    filter: 'Go to the filter',
    licenses: 'Go to licenses',
    customers: 'Go to customers',
    events: 'Go to events',
    create: 'Create something here',
    help: 'Show this list',
  },
}

const de: typeof en = {
  more: 'Überall gedrückt, nur nicht in einem Feld. Was aus ist, bleibt in diesem Browser aus.',
  search: 'Etwas finden oder anlegen',
  acts: {
    filter: 'Zum Filter',
    licenses: 'Zu den Lizenzen',
    customers: 'Zu den Kunden',
    events: 'Zu den Ereignissen',
    create: 'Hier etwas anlegen',
    help: 'Diese Liste zeigen',
  },
}

/** The words of the list of keys, loaded with it. */
export const words = textsOf(language, { en, de }, en)
