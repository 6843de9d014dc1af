/** Sentences that say more than their code does, with `{name}` for what the server fills in, and the same in German. */
export const SENTENCES: Readonly<Record<string, string>> = {
  'Your trial is being paid at this moment; ask again in a moment.':
    'Ihre Testphase wird gerade bezahlt. Versuchen Sie es gleich noch einmal.',
  'This is not the special coupon against cancelling.':
    'Das ist nicht der Gutschein, der vom Kündigen abhalten soll.',
  'This coupon takes nothing more off the renewals.':
    'Dieser Gutschein macht die Verlängerungen nicht günstiger.',
  'The license has had its coupon against cancelling.':
    'Für diese Lizenz wurde der Gutschein, der vom Kündigen abhalten soll, schon eingelöst.',
  'The payment gateway does not answer; the refund is done when it does.':
    'Der Zahlungsanbieter antwortet nicht. Erstattet wird, sobald er es tut.',
  'Nothing is left of this payment to give back.':
    'Von dieser Zahlung ist nichts übrig, das zu erstatten wäre.',
  'A refund must be more than 0.': 'Eine Erstattung muss mehr als 0 sein.',
  'The gateway refused this refund.': 'Der Zahlungsanbieter lehnt diese Erstattung ab.',
  'There is no such charge, or it was not paid.':
    'Der Zahlungsanbieter kennt diese Zahlung nicht, oder sie wurde nicht bezahlt.',
  'The charge was of less, or of another currency.':
    'Beim Zahlungsanbieter war die Zahlung kleiner oder in einer anderen Währung.',
  'The bank of the buyer does not take the refund.': 'Die Bank des Käufers nimmt die Erstattung nicht an.',
  'The account of the buyer does not take the refund.':
    'Das Konto des Käufers nimmt die Erstattung nicht an.',
  '{what} is for who has followed a link that was mailed to the address: ask for one.':
    'Das darf nur, wer einem Link gefolgt ist, der an die Adresse gemailt wurde. Lassen Sie sich einen senden.',
  'This license is of a trial, which is of the plan that was chosen for it.':
    'Diese Lizenz ist die einer Testphase; die gilt für den Tarif, der dafür gewählt wurde.',
  'This coupon belongs to the store, which alone may change it.':
    'Dieser Gutschein gehört dem Shop und ist nur dort zu ändern.',
  'This license is nobody’s; activate it first.':
    'Diese Lizenz gehört noch niemandem. Aktivieren Sie sie zuerst.',
  'The trial of this plan needs a method of payment.':
    'Die Testphase dieses Tarifs braucht eine Zahlungsart.',
  'The trial of this plan begins at the checkout.': 'Die Testphase dieses Tarifs beginnt an der Kasse.',
  'This product does not allow users to be created.': 'Bei diesem Produkt sind keine Kunden anzulegen.',
  'This user is in other products too: another address is for who signs in to the whole account, and for its developer.':
    'Dieser Kunde hat auch andere Produkte: Seine Adresse ändert nur, wer sich im ganzen Konto anmeldet, oder der Verkäufer.',
  'Another install of this user has this uid.': 'Eine andere Installation dieses Kunden hat diese uid.',
  '{count} exports wait; ask again when one of them is done.':
    'Es warten schon {count} Exporte. Versuchen Sie es, wenn einer davon fertig ist.',
  '{count} bulk actions wait; ask again when one of them is done.':
    'Es warten schon {count} Sammelaktionen. Versuchen Sie es, wenn eine davon fertig ist.',
  'The license never ends.': 'Diese Lizenz endet nie.',
  'A license is active on install {id}': 'Auf der Installation {id} ist schon eine Lizenz aktiv.',
  'A license is already activated on install {id}': 'Auf der Installation {id} ist schon eine Lizenz aktiv.',
  'The license is not active on install {id}.': 'Auf der Installation {id} ist die Lizenz nicht aktiv.',
  'The proof of the user is wrong, too old, or was used already.':
    'Der Link ist falsch, zu alt oder schon benutzt. Lassen Sie sich einen anderen senden.',
  'This license does not open this product.': 'Diese Lizenz ist nicht für dieses Produkt.',
  'The owner of this license does not let it be used on this site.':
    'Der Inhaber dieser Lizenz lässt sie auf dieser Installation nicht zu.',
  'The license is activated on the maximum of {quota} {units}: the limit has been reached.':
    'Die Lizenz ist schon so oft aktiv, wie sie es sein darf ({quota}).',
  'This license was cancelled (id = {id}).': 'Diese Lizenz wurde gekündigt (ID {id}).',
  'Your license has expired on {time} UTC (id = {id}).':
    'Diese Lizenz ist am {time} UTC abgelaufen (ID {id}).',
  'This license has no owner.': 'Diese Lizenz gehört noch niemandem.',
  'The product has no user with this address.': 'Das Produkt hat keinen Kunden mit dieser Adresse.',
  'Nothing is sold any more that renews this license.':
    'Es wird nichts mehr verkauft, das diese Lizenz verlängert.',
  'This license came with a bundle, and is changed with the license of the bundle.':
    'Diese Lizenz kam mit einem Bundle und wird mit dessen Lizenz geändert.',
  'This clone is resolved already, as {what}.': 'Über diese Kopie ist schon entschieden: {what}.',
  'There is an account with this address: follow the link that was mailed to it.':
    'Zu dieser Adresse gibt es ein Konto: Folgen Sie dem Link, der dorthin gemailt wurde.',
  'The plan of this license is not released yet.': 'Der Tarif dieser Lizenz ist noch nicht veröffentlicht.',
  'The license has {count} sites on its lists already.':
    'Auf den Listen der Lizenz stehen schon {count} Installationen.',
  'The import does not wait to be started.': 'Dieser Import wartet nicht darauf, begonnen zu werden.',
  'The import is not under way.': 'Dieser Import läuft nicht.',
  'The import has nothing to take out, or is under way.':
    'Dieser Import hat nichts, das zurückzunehmen wäre, oder er läuft noch.',
  'There is no room to store anything; try again.': 'Auf dem Server ist kein Platz mehr.',
  'The database is busy; try again.': 'Die Datenbank ist ausgelastet. Versuchen Sie es gleich noch einmal.',
  'The seller has this switched off in the portal. Write to {address}.':
    'Der Verkäufer hat das im Portal abgeschaltet. Schreiben Sie an {address}.',
  'Your visit is over; ask for another link.':
    'Ihr Besuch ist vorbei. Lassen Sie sich einen anderen Link senden.',
  'Your role lacks the right to write customers.': 'Ihre Rolle darf Kunden nicht ändern.',
  '{whose} lacks the right to {right}.': 'Ihre Rolle darf das nicht ({right}).',
  '{what} is for the owner of the account alone.': 'Das darf nur der Inhaber des Kontos.',
  '{what} is for admins: with it one can do more than the role may.':
    'Das dürfen nur Administratoren: Damit ließe sich mehr tun, als Ihre Rolle darf.',
  'This listener is sent what you may not see.': 'An diesen Webhook geht, was Sie nicht sehen dürfen.',
  'The license expired; the premium version is updated with an active one.':
    'Die Lizenz ist abgelaufen; die Premium-Version gibt es mit einer aktiven.',
  'The premium version is updated with an active license only.':
    'Die Premium-Version gibt es nur mit einer aktiven Lizenz.',
  'The product has a version {version}.': 'Das Produkt hat die Version {version} schon.',
  'There is nothing at this path.': 'Hier ist nichts.',
  'This store has, or had, products or coupons.': 'Dieser Shop hat oder hatte Produkte oder Gutscheine.',
  'A token makes none that outlives it; it ends {time}.':
    'Ein Token macht keines, das länger gilt als es selbst; es endet am {time}.',
  'You have chosen a password in the meantime.': 'Sie haben inzwischen ein Passwort gewählt.',
}
