import type { MailText, Texts } from '../templates.ts'
import { deAddresses } from './de-addresses.ts'
import { deLogin } from './de-login.ts'

const CART_TRIAL = `<% if (it.trialDays !== null) { %> Sie können es auch erst <%= it.trialDays %> Tage lang testen.<% } %>`
const CART_OFF = `<% if (it.discount !== null) { %> Mit diesem Link zahlen Sie <%= it.discount %> weniger.<% } %>`
const UNEXPECTED = 'Wenn Sie diese Mail nicht erwartet haben, tun Sie einfach nichts.'
const OWNERSHIP_END = 'Der Link gilt 24 Stunden. Es ändert sich nichts, bis beide Seiten zugestimmt haben.'
const SHOWN = `<% if (it.keys.some(({ key }) => key !== '')) { %>`
const KEEP = `${SHOWN}Bewahren Sie diese Mail auf: Wer einen Schlüssel hat, kann ihn benutzen.<% } %>`
const FAILED =
  'Die Zahlung von <%= it.amount %> für <%= it.product %> (<%= it.plan %>) ist fehlgeschlagen: <%= it.reason %>'

const keys: MailText['keys'] = [
  '<%= it.one.key %>',
  `<%= it.one.plan %>, <% if (it.one.isCancelled) { %>gekündigt<% } else if (it.one.ends === null) { %>endet nie<% } else { %>endet am <%= it.one.ends %> UTC<% } %>`,
]

const links = {
  download: `<% if (it.one.product) { %><%= it.one.product %> herunterladen<% } else { %>Herunterladen<% } %>`,
  portal: 'Ihr Konto mit Lizenzen, Zahlungen und Rechnungen',
}

const CANCEL = 'Kündigen oder ansehen, was Sie haben'

const INVOICE = '<% if (it.invoice) { %>Die Rechnung <%= it.invoice %> liegt bei.<% } %>'

const paid: MailText['rows'] = [
  ['Produkt', '<%= it.product %>, <%= it.plan %>'],
  ['Lizenzen', '<%= it.licenses %>'],
  ['Rechnung', '<%= it.invoice %>'],
  ['Datum', '<%= it.date %> UTC'],
  ['Ohne Steuer', '<%= it.net %>'],
  ['Steuer', '<%= it.tax %>'],
  ['Summe', '<%= it.amount %>'],
  ['Bezahlt mit', '<%= it.method %>'],
]

/** German. */
export const de: Texts = {
  language: 'de',
  greeting: 'Guten Tag<% if (it.name) { %> <%= it.name %><% } %>,',
  unsubscribe: 'Keine solchen Mails mehr',
  mails: {
    ...deAddresses,
    ...deLogin,
    'cart_recovery.1': {
      subject: 'Ihre Bestellung von <%= it.product %>',
      body: ['Sie haben Ihre Bestellung von <%= it.product %> nicht abgeschlossen. Sie ist noch für Sie da.'],
      button: 'Bestellung fortsetzen',
    },
    'cart_recovery.2': {
      subject: 'Möchten Sie <%= it.product %> noch?',
      body: [`Ihre Bestellung von <%= it.product %> wartet noch auf Sie.${CART_TRIAL}`],
      button: 'Bestellung fortsetzen',
    },
    'cart_recovery.3': {
      subject: 'Die letzte Mail zu Ihrer Bestellung von <%= it.product %>',
      body: [`Dies ist die letzte Mail zu Ihrer Bestellung von <%= it.product %>.${CART_OFF}`],
      button: 'Bestellung fortsetzen',
    },
    license: {
      subject: 'Ihre Lizenz für <%= it.product %>',
      body: [
        `Willkommen! Dies ist Ihr${SHOWN} Lizenzschlüssel<% } else { %>e Lizenz<% } %> für <%= it.product %>.`,
      ],
      keys,
      ...links,
      end: [KEEP],
    },
    license_cancelled: {
      subject: 'Ihre Lizenz für <%= it.product %> wurde gekündigt',
      body: [
        'Ihre Lizenz für <%= it.product %> (<%= it.plan %>) wurde gekündigt. Was sie Ihnen gab, ist beendet, und es wird nichts mehr dafür abgebucht.',
      ],
    },
    license_expired: {
      subject: 'Ihre Lizenz für <%= it.product %> ist abgelaufen',
      body: [
        'Ihre Lizenz für <%= it.product %> (<%= it.plan %>) ist am <%= it.ends %> UTC abgelaufen.',
        '<% if (it.link) { %>Sie können sie noch verlängern.<% } %>',
      ],
      button: 'Meine Lizenz verlängern',
    },
    license_expiring: {
      subject: 'Ihre Lizenz für <%= it.product %> läuft bald ab',
      body: [
        'Ihre Lizenz für <%= it.product %> (<%= it.plan %>) läuft am <%= it.ends %> UTC ab.',
        '<% if (it.link) { %>Verlängern Sie sie vorher, um zu behalten, was sie Ihnen gibt.<% } %>',
      ],
      button: 'Meine Lizenz verlängern',
    },
    license_keys: {
      subject: `Ihre Lizenz${SHOWN}schlüssel<% } else { %>en<% } %> für <%= it.product %>`,
      body: [`Dies sind Ihre Lizenz${SHOWN}schlüssel<% } else { %>en<% } %> für <%= it.product %>.`],
      keys,
      ...links,
      end: [KEEP],
    },
    member_invitation: {
      subject: '<%= it.account %> hat Sie eingeladen',
      body: ['<%= it.account %> lädt Sie in das Team ein.'],
      rows: [
        ['Shop', '<%= it.store %>'],
        ['Nummer des Kontos', '<%= it.accountId %>'],
        ['Server', '<%= it.server %>'],
      ],
      button: 'Dem Team beitreten',
      end: [
        'Treten Sie zuerst bei: Die Seite hinter dem Link hat einen Knopf und fragt nach einem Passwort, wenn Sie auf diesem Server keines haben. Ein Werkzeug schickt POST an den Link, mit dem neuen Passwort als "password".',
        'Melden Sie sich dann mit der Adresse, an die diese Mail ging, und Ihrem Passwort an: POST <%= it.server %>/v1/developers/<%= it.accountId %>/login.json, mit "email" und "password" als JSON.',
        `Der Link gilt 7 Tage. ${UNEXPECTED}`,
      ],
    },
    new_sign_in: {
      subject: 'Jemand hat sich in Ihrem Konto angemeldet',
      body: [
        'Jemand hat sich in Ihrem Konto von einer Adresse angemeldet, die bisher nicht benutzt wurde.',
        'Wenn Sie das waren, ist nichts zu tun. Wenn nicht, ändern Sie jetzt Ihr Passwort: Das beendet alle anderen Sitzungen.',
      ],
      rows: [
        ['Wann', '<%= it.at %> UTC'],
        ['Adresse', '<%= it.address %>'],
      ],
    },
    'ownership_change.candidate': {
      subject: 'Neuer Inhaber: <%= it.product %>',
      body: [
        'Jemand möchte Ihnen Installationen von <%= it.product %> übergeben, mit den Lizenzen, die nur dort aktiv sind. Was dort läuft, handelt dann in diesem Produkt für Sie. Die Seite hinter dem Link sagt, welche es sind und wer sie übergibt.',
      ],
      button: 'Ansehen und zustimmen',
      end: [`${OWNERSHIP_END} ${UNEXPECTED}`],
    },
    'ownership_change.owner': {
      subject: 'Neuer Inhaber: <%= it.product %>',
      body: [
        'Jemand bittet darum, Ihre Installationen von <%= it.product %> einem anderen Inhaber zu übergeben, mit den Lizenzen, die nur dort aktiv sind. Die Seite hinter dem Link sagt, welche es sind und wer sie bekommt.',
      ],
      button: 'Ansehen und zustimmen',
      end: [`${OWNERSHIP_END} Wenn Sie das nicht wollen, tun Sie einfach nichts.`],
    },
    pending_activation: {
      subject: 'Bestätigen Sie, dass Sie <%= it.product %> benutzen',
      body: [
        '<%= it.product %> möchte dort, wo es läuft, mit Ihrer Adresse verbunden werden. Die Seite hinter dem Link sagt, wo das ist.',
      ],
      button: 'Verbinden',
      end: [
        'Der Link gilt 24 Stunden. Wer es dort betreibt, kann dann Ihr Konto für <%= it.product %> benutzen.',
        UNEXPECTED,
      ],
    },
    contact: {
      subject: 'Jemand schreibt zu <%= it.product %>',
      body: ['<%= it.message %>'],
      rows: [
        ['Von', '<%= it.from %>'],
        ['Thema', '<%= it.topic %>'],
        ['Wo es läuft', '<%= it.site %>'],
        ['Nachgewiesene Installation', '<%= it.install %>'],
      ],
      end: [
        'Eine Antwort auf diese Mail geht an die Adresse, die angegeben wurde; dass es ihre ist, hat niemand nachgewiesen.',
      ],
    },
    portal_link: {
      subject: 'Ihr Link zu <%= it.product %>',
      body: ['Dieser Link öffnet Ihr Konto für <%= it.product %>: Ihre Lizenzen, Zahlungen und Rechnungen.'],
      button: 'Konto öffnen',
      end: [`Er gilt <%= it.minutes %> Minuten. ${UNEXPECTED}`],
    },
    invoice: {
      subject:
        'Ihre <% if (it.isCreditNote) { %>Gutschrift<% } else { %>Rechnung<% } %> <%= it.number %> für <%= it.product %>',
      body: [
        'Die <% if (it.isCreditNote) { %>Gutschrift<% } else { %>Rechnung<% } %> <%= it.number %>, um die Sie gebeten haben, ist angehängt.',
      ],
    },
    receipt: {
      subject: 'Ihre Quittung für <%= it.product %>',
      body: ['Vielen Dank für Ihre Zahlung von <%= it.amount %>.'],
      rows: paid,
      end: [
        INVOICE,
        '<% if (it.waiver) { %>Dem haben Sie bei der Zahlung zugestimmt: „<%= it.waiver %>“<% } %>',
      ],
    },
    renewal_cancelled: {
      subject: 'Ihr Abonnement von <%= it.product %> wurde beendet',
      body: [
        'Die Zahlung von <%= it.amount %> für <%= it.product %> (<%= it.plan %>) ist wieder fehlgeschlagen: <%= it.reason %>',
        'Sie wird nicht mehr versucht. Ihr Abonnement und Ihre Lizenz wurden gekündigt; Sie können jederzeit neu kaufen.',
      ],
    },
    'renewal_failed.1': {
      subject: 'Ihre Zahlung für <%= it.product %> ist fehlgeschlagen',
      body: [
        FAILED,
        'Sie wird am <%= it.again %> UTC wieder versucht. Bitte sorgen Sie bis dahin dafür, dass Ihr Zahlungsmittel gilt.',
      ],
      button: 'Meine Zahlungsart aktualisieren',
    },
    'renewal_failed.2': {
      subject: 'Ihre Zahlung für <%= it.product %> ist wieder fehlgeschlagen',
      body: [
        FAILED,
        'Sie wird am <%= it.again %> UTC wieder versucht. Bitte sorgen Sie bis dahin dafür, dass Ihr Zahlungsmittel gilt.',
      ],
      button: 'Meine Zahlungsart aktualisieren',
    },
    'renewal_failed.3': {
      subject: 'Ihre Lizenz für <%= it.product %> endet bald',
      body: [
        FAILED,
        'Sie wird am <%= it.again %> UTC zum letzten Mal versucht. Schlägt sie auch dann fehl, werden Ihr Abonnement und Ihre Lizenz gekündigt.',
      ],
      button: 'Meine Zahlungsart aktualisieren',
    },
    renewal_reminder: {
      subject: 'Ihre Lizenz für <%= it.product %> verlängert sich bald',
      body: [
        'Ihre Lizenz für <%= it.product %> (<%= it.plan %>) verlängert sich am <%= it.on %> UTC für <%= it.amount %><% if (it.isTaxed) { %> zuzüglich Steuer<% } %>.',
        'Sie müssen nichts tun. Wenn Sie das nicht möchten, kündigen Sie das Abonnement vorher.',
      ],
      portal: CANCEL,
    },
    renewed: {
      subject: 'Ihre Lizenz für <%= it.product %> wurde verlängert',
      body: [
        'Ihre Lizenz für <%= it.product %> (<%= it.plan %>) wurde für <%= it.amount %> verlängert.',
        'Sie ist bis <%= it.until %> UTC bezahlt.',
      ],
      rows: paid,
      end: [INVOICE],
    },
    subscription_cancelled: {
      subject: 'Ihr Abonnement von <%= it.product %> wurde gekündigt',
      body: [
        'Ihr Abonnement von <%= it.product %> (<%= it.plan %>) wurde gekündigt. Es wird nichts mehr dafür abgebucht.',
        '<% if (it.until) { %>Ihre Lizenz gilt bis <%= it.until %> UTC.<% } %>',
      ],
    },
    subscription_resumed: {
      subject: 'Ihr Abonnement von <%= it.product %> läuft weiter',
      body: [
        'Ihr Abonnement von <%= it.product %> (<%= it.plan %>) war gekündigt und läuft nun doch weiter. Am <%= it.on %> UTC wird es wieder abgebucht.',
      ],
    },
    trial_converted: {
      subject: 'Ihr Test von <%= it.product %> ist vorbei, und Ihre Lizenz hat begonnen',
      body: [
        'Ihr Test von <%= it.product %> (<%= it.plan %>) ist vorbei. <%= it.amount %> wurden bezahlt, und Ihre Lizenz gilt weiter.',
        '<% if (it.until) { %>Sie ist bis <%= it.until %> UTC bezahlt.<% } else { %>Sie endet nie.<% } %>',
      ],
      rows: paid,
      end: [INVOICE],
    },
    trial_expiring: {
      subject: 'Ihr Test von <%= it.product %> endet bald',
      body: [
        'Ihr Test von <%= it.product %> (<%= it.plan %>) endet am <%= it.ends %> UTC.',
        '<% if (it.amount) { %>Dann werden <%= it.amount %> abgebucht, mit Steuer, wo sie anfällt, und Ihre Lizenz gilt weiter. Wenn Sie das nicht möchten, kündigen Sie vorher.<% } else if (it.link) { %>Wenn Sie es weiter nutzen möchten, kaufen Sie eine Lizenz.<% } %>',
      ],
      button: 'Lizenz kaufen',
      portal: CANCEL,
    },
    webhook_off: {
      subject: 'Ein Webhook von <%= it.product %> wurde abgeschaltet',
      body: [
        '<%= it.url %> erfährt von keinen Ereignissen von <%= it.product %> mehr: <% if (it.isGone) { %>Die Adresse hat geantwortet, dass es sie nicht mehr gibt.<% } else { %>Sie ist mehr als 100 Mal in Folge fehlgeschlagen, mindestens einen Tag lang.<% } %>',
        'Was geschieht, wird aufbewahrt. Sobald die Adresse wieder antwortet, schalten Sie den Webhook ein und lassen Sie nachsenden, was er verpasst hat.',
      ],
    },
  },
}
