import type { Texts } from '../templates.ts'

const UNEXPECTED = 'If you did not expect this mail, ignore it.'

/** Mails by which an address is proven or changed. */
export const enAddresses: Pick<
  Texts['mails'],
  'confirm_email' | 'confirm_email_change' | 'confirm_own_email' | 'email_changed' | 'own_email_changed'
> = {
  confirm_email: {
    subject: 'Confirm your address for <%= it.product %>',
    body: ['Please confirm that this is your address for <%= it.product %>.'],
    button: 'Confirm my address',
    end: [`The link works for 24 hours. ${UNEXPECTED}`],
  },
  confirm_email_change: {
    subject: 'Shall your address for <%= it.product %> change?',
    body: [
      'Somebody asks that your account for <%= it.product %> has the address <%= it.to %>, and that mail goes there. It is changed when the link below is followed, and the one that was mailed to that address.',
    ],
    button: 'Look at it, and agree',
    end: [
      'The link works for 24 hours. If it was not you who asked, do not follow it, and nothing changes; but whoever did was let in as you, so write to whom you bought it from.',
    ],
  },
  confirm_own_email: {
    subject: 'Confirm your address at <%= it.server %>',
    body: ['Please confirm that this is your address for your account at <%= it.server %>.'],
    button: 'Confirm my address',
    end: [`The link works for 24 hours. ${UNEXPECTED}`],
  },
  email_changed: {
    subject: 'Your address for <%= it.product %> was changed',
    body: [
      'Your account for <%= it.product %> has the address <%= it.to %> now, and mail goes there.',
      'If you did not want this, write at once to whom you bought it from.',
    ],
  },
  own_email_changed: {
    subject: 'Your address at <%= it.server %> was changed',
    body: [
      'Your account at <%= it.server %> has the address <%= it.to %> now. You log in with that one.',
      'If you did not want this, write at once to whoever runs the server.',
    ],
  },
}
