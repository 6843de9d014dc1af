import { textsOf } from '../../../shared/language.ts'
import { language } from '../../texts/texts.ts'

const en = {
  deliveries: 'Deliveries',
  states: { pending: 'Waiting', error: 'Failed', canceled: 'Missed', processed: 'Taken' },
  /** After a listener and a colon. */
  stands: { pending: 'waiting', error: 'failed', canceled: 'missed', processed: 'taken' },
  attempts: 'Attempts',
  attemptOnce: '1 attempt',
  attemptsSoFar: '{count} attempts',
  toNobody: 'No webhook is sent this event.',
  notYet: 'It was not given to webhooks yet.',
}

const de: typeof en = {
  deliveries: 'Zustellungen',
  states: { pending: 'Wartet', error: 'Gescheitert', canceled: 'Verpasst', processed: 'Angenommen' },
  stands: { pending: 'wartet', error: 'gescheitert', canceled: 'verpasst', processed: 'angenommen' },
  attempts: 'Versuche',
  attemptOnce: '1 Versuch',
  attemptsSoFar: '{count} Versuche',
  toNobody: 'Dieses Ereignis wird an keinen Webhook gesendet.',
  notYet: 'Noch ist es bei keinem Webhook.',
}

/** The words of what is sent to a listener, which lists of events are loaded with too. */
export const deliveryWords = textsOf(language, { en, de }, en)
