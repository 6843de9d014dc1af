import { textsOf } from '../../../shared/language.ts'
import { language } from '../../texts/texts.ts'

const en = {
  secretKey: 'Secret key',
  masked: 'Hidden',
  showKey: 'Show secret key',
  showKeyMore: 'The audit log keeps that you saw it.',
  shown:
    'Who has this key can do whatever it opens. Keep it out of what you ship. It is hidden again when this closes.',
  replace: 'Replace secret key',
  replaced: 'New secret key',
  replacedMore:
    'Put it wherever the one so far is. The public key stays. It is hidden when this closes, and shown again with your password.',
  until: 'The one so far is taken until {time}.',
  ended: 'The one so far has ended.',
  overlap: 'Hours that both are taken',
  hit: { product: 'Webhooks that are on: {count}.', others: 'Products that are asked for with it: {count}.' },
  overlapHelp: '0 to 168. 0: the key so far ends at once, and all before it.',
  of: {
    product: {
      title: 'Keys of the product',
      about: 'Your code signs its calls and sandbox checkouts with the secret key; SDKs ship the public one.',
      what: 'Calls that your code signs and tokens of the sandbox are taken with both keys until the hours are over. Webhooks (X-Signature) and addresses that buyers are led back to are signed with the new key at once: give it to what checks these first.',
    },
    store: {
      title: 'Keys of the store',
      about: 'What asks for the store and its products signs with its secret key.',
      what: 'Calls below the store are taken with both keys until the hours are over.',
    },
    account: {
      title: 'Keys of the account',
      about: 'What asks for the account and all its products signs with its secret key.',
      what: 'Calls below the account, and sites that sign customers in, are taken with both keys until the hours are over.',
    },
  },
}

const de: typeof en = {
  secretKey: 'Geheimer Schlüssel',
  masked: 'Verborgen',
  showKey: 'Geheimen Schlüssel anzeigen',
  showKeyMore: 'Das Audit-Log hält fest, dass Sie ihn gesehen haben.',
  shown:
    'Wer diesen Schlüssel hat, kann alles, was er öffnet. Halten Sie ihn aus dem heraus, was Sie ausliefern. Er ist wieder verborgen, wenn dies schließt.',
  replace: 'Geheimen Schlüssel ersetzen',
  replaced: 'Neuer geheimer Schlüssel',
  replacedMore:
    'Tragen Sie ihn überall ein, wo der bisherige steht. Der öffentliche Schlüssel bleibt. Er ist verborgen, wenn dies schließt, und wird mit Ihrem Passwort wieder gezeigt.',
  until: 'Der bisherige gilt bis {time}.',
  ended: 'Der bisherige gilt nicht mehr.',
  overlap: 'Stunden, in denen beide gelten',
  hit: {
    product: 'Webhooks, die an sind: {count}.',
    others: 'Produkte, nach denen damit gefragt wird: {count}.',
  },
  overlapHelp: '0 bis 168. 0: Der bisherige endet sofort, und alle davor.',
  of: {
    product: {
      title: 'Schlüssel des Produkts',
      about:
        'Ihr Code unterschreibt seine Aufrufe und Checkouts der Sandbox mit dem geheimen Schlüssel; SDKs liefern den öffentlichen aus.',
      what: 'Aufrufe, die Ihr Code unterschreibt, und Tokens der Sandbox gelten mit beiden Schlüsseln, bis die Stunden um sind. Webhooks (X-Signature) und Adressen, zu denen Käufer zurückgeführt werden, sind sofort mit dem neuen unterschrieben: Geben Sie ihn zuerst dem, was diese prüft.',
    },
    store: {
      title: 'Schlüssel des Stores',
      about: 'Was nach dem Store und seinen Produkten fragt, unterschreibt mit seinem geheimen Schlüssel.',
      what: 'Aufrufe unter dem Store gelten mit beiden Schlüsseln, bis die Stunden um sind.',
    },
    account: {
      title: 'Schlüssel des Kontos',
      about:
        'Was nach dem Konto und allen seinen Produkten fragt, unterschreibt mit seinem geheimen Schlüssel.',
      what: 'Aufrufe unter dem Konto und Seiten, die Kunden anmelden, gelten mit beiden Schlüsseln, bis die Stunden um sind.',
    },
  },
}

/** The words about keys, loaded with the pages that show them. */
export const words = textsOf(language, { en, de }, en)
