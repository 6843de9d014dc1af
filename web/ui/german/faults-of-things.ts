/** As `FAULTS`, for rules that are about one kind of thing. */
export const FAULTS_OF_THINGS: Readonly<Record<string, string>> = {
  'must be ids separated by commas, each once': 'muss aus IDs mit Kommas dazwischen bestehen, jede einmal',
  'must be ids, by commas': 'muss aus IDs mit Kommas dazwischen bestehen',
  'must be ids of products of the account': 'muss aus IDs von Produkten des Kontos bestehen',
  'must be ids of at most {most} products of the developer that are no bundles, each once':
    'muss aus IDs von höchstens {most} Produkten des Kontos bestehen, die keine Bundles sind, jede einmal',
  'must be ids of {noun} of the product, each once':
    'muss aus IDs des Produkts bestehen ({noun}), jede einmal',
  'must be ids of reasons, 1 to {most}': 'muss aus Nummern von Gründen bestehen, 1 bis {most}',
  'must be reasons from 1 to 15, comma-separated':
    'muss aus Gründen von 1 bis 15 bestehen, mit Kommas dazwischen',
  'must be a comma-separated list of reasons from 1 to 15':
    'muss aus Gründen von 1 bis 15 bestehen, mit Kommas dazwischen',
  'must be a comma-separated list of IDs of plans':
    'muss aus IDs von Tarifen bestehen, mit Kommas dazwischen',
  'must be a comma-separated list of license quotas':
    'muss aus Anzahlen von Lizenzen bestehen, mit Kommas dazwischen',
  'must be a comma-separated list of {values}': 'muss aus diesen bestehen, mit Kommas dazwischen: {values}',
  'must be at most {most} ids': 'darf aus höchstens {most} IDs bestehen',
  'must be at most 100 as a percentage': 'darf als Prozentsatz höchstens 100 sein',
  'must be at most 100 percent': 'darf höchstens 100 Prozent sein',
  'must be at most {most}': 'darf höchstens {most} sein',
  'must be the same as discount': 'muss dasselbe sein wie der Nachlass',
  'must be amounts by {currencies}': 'muss aus Beträgen nach {currencies} bestehen',
  'are for discount_type dollar': 'sind für einen Nachlass als Betrag',
  'has no plans with the IDs {ids}': 'nennt Tarife, die es nicht gibt: {ids}',
  'must be a plan of the product': 'muss ein Tarif des Produkts sein',
  'must be a price of the plan': 'muss ein Preis des Tarifs sein',
  'is no plan of the product': 'ist kein Tarif des Produkts',
  'is no price of the plan': 'ist kein Preis des Tarifs',
  'is none of the prices': 'ist bei keinem der Preise dabei',
  'is not for sale': 'ist nicht zu kaufen',
  'is not sold': 'wird nicht verkauft',
  'is not sold at this price': 'wird zu diesem Preis nicht verkauft',
  'is not sold in this plan': 'wird in diesem Tarif nicht verkauft',
  'is not sold for what the license has now, so that what is left of it cannot be carried over':
    'wird für das, was die Lizenz jetzt hat, nicht verkauft, sodass der Rest nicht angerechnet werden kann',
  'is not for a license of a service': 'gibt es bei der Lizenz eines Dienstes nicht',
  'must be a product of the same store': 'muss ein Produkt desselben Shops sein',
  'must be a product of the developer that is no add-on and no bundle':
    'muss ein Produkt des Kontos sein, das weder Add-on noch Bundle ist',
  'must be a store of the developer': 'muss ein Shop des Kontos sein',
  'must be the id of a store, or empty': 'muss die ID eines Shops oder leer sein',
  'must be a user of the product': 'muss ein Kunde des Produkts sein',
  'must be of a user of the product': 'muss von einem Kunden des Produkts sein',
  'must be of somebody else than the owner': 'muss von jemand anderem als dem Inhaber sein',
  'must be the address of the user': 'muss die Adresse des Kunden sein',
  'must be an install of a product in the bundle': 'muss eine Installation eines Produkts im Bundle sein',
  'must be left out but for a bundle': 'ist nur bei einem Bundle anzugeben',
  'must be empty but in a bundle': 'muss leer sein, außer bei einem Bundle',
  'must be false for an add-on': 'muss bei einem Add-on nein sein',
  'must be left out, or be {alias}, for this type': 'muss bei dieser Art fehlen oder {alias} sein',
  'must be true: only an admin is answered the link':
    'muss ja sein: Den Link selbst bekommen nur Administratoren',
  'is for a member whose role is support': 'ist für ein Mitglied mit der Rolle support',
  'of a review that a user wrote cannot be changed': 'ist bei der Bewertung eines Kunden nicht zu ändern',
  'needs an address of support, to which buyers write who want what is off: {parts}':
    'braucht eine Adresse für den Support, an die Käufer schreiben, die das Abgeschaltete wünschen: {parts}',
  'must differ from from_currency': 'muss eine andere Währung sein als die kopierte',
  'must be types of events with commas between them, such as license.created':
    'muss aus Arten von Ereignissen mit Kommas dazwischen bestehen, wie license.created',
  'must name types of events; unknown: {types}': 'muss Arten von Ereignissen nennen; unbekannt: {types}',
  'must not begin as an event of this server': 'darf nicht wie ein Ereignis dieses Servers beginnen',
  'must be the id of an event of the stream': 'muss die ID eines Ereignisses sein',
  'must be rights with commas between them, such as licenses.write, on anything but own':
    'muss aus Rechten mit Kommas dazwischen bestehen, wie licenses.write, außer auf own',
  'must be what `next` of the page before says': 'muss sein, was die Seite davor als nächste nennt',
  'must be the next of a page': 'muss sein, was die Seite davor als nächste nennt',
  'must be JSON of an object': 'muss das JSON eines Objekts sein',
  'must be JSON text of one object': 'muss das JSON eines Objekts sein',
  'must be a list of {slug, version, title, is_active}, or it as JSON text':
    'muss eine Liste aus slug, version, title und is_active sein, auch als JSON',
  'must be absent where ids are named': 'muss fehlen, wenn IDs genannt sind',
  'must be out of site, user and extensions, comma-separated':
    'muss aus site, user und extensions bestehen, mit Kommas dazwischen',
  'would be more than {most} others: name them by install_ids':
    'wären mehr als {most} andere: Nennen Sie deren IDs',
  'must not have {unknown}: this mail knows {known}':
    'darf {unknown} nicht enthalten: Diese Mail kennt {known}',
  'has what is none for you: {unknown}; there are {known}':
    'enthält, was es für Sie nicht gibt: {unknown}; es gibt {known}',
  'is a list of the account, not of a product': 'ist eine Liste des Kontos, nicht eines Produkts',
  'is no argument of the list of {list}': 'gibt es bei dieser Liste nicht ({list})',
  'is no argument of {action}; there are {known}': 'gibt es bei {action} nicht; es gibt {known}',
  'is no filter of the list of {list}': 'ist kein Filter dieser Liste ({list})',
  'is for what comes from another platform': 'ist für das, was von einer anderen Plattform kommt',
  'is for what comes from a server or another platform: methods are in the files':
    'ist für das, was von einem Server oder einer anderen Plattform kommt: Zahlungsarten stehen in den Dateien',
  'is for what comes from no server': 'ist für das, was von keinem Server kommt',
  'must be a ZIP file': 'muss eine ZIP-Datei sein',
  'must be a ZIP file, or one named by its kind, such as licenses.csv':
    'muss eine ZIP-Datei sein oder eine, die nach ihrer Art heißt, wie licenses.csv',
  'must be a file of JSON lines or CSV, such as methods.csv':
    'muss eine Datei mit JSON-Zeilen oder CSV sein, wie methods.csv',
  'needs bundle_product_id': 'braucht die ID des Bundles',
  'is required to pay': 'darf zum Bezahlen nicht fehlen',
  'is required for what costs something': 'darf nicht fehlen, wenn etwas zu bezahlen ist',
  'is required to change email': 'darf nicht fehlen, um die Adresse zu ändern',
  'is required with a session': 'darf nicht fehlen',
  'is required here': 'darf hier nicht fehlen',
  'is required beside the other one': 'darf neben dem anderen nicht fehlen',
  'is required of a server': 'darf bei einem Server nicht fehlen',
  'is required without a name': 'darf ohne einen Namen nicht fehlen',
  'is required without license_id': 'darf ohne eine Lizenz nicht fehlen',
  'is required without older_than': 'darf nicht fehlen',
  'is required where the title has no letters': 'darf nicht fehlen, wenn der Titel keine Buchstaben hat',
  'is required, as a part of a form': 'darf nicht fehlen',
  'is required, as the license has no owner yet': 'darf nicht fehlen, da die Lizenz noch niemandem gehört',
  'is required, as the user has none': 'darf nicht fehlen, da der Kunde keinen hat',
  'is required, or another price': 'darf nicht fehlen, außer es steht ein anderer Preis da',
  'is required, or {others}': 'darf nicht fehlen, außer an seiner Stelle steht: {others}',
  'or title is required': 'oder ein Titel darf nicht fehlen',
  'or name is required': 'oder ein Name darf nicht fehlen',
  'or {other} is required': 'oder {other} darf nicht fehlen',
  'or license_key must name whose method of payment it is':
    'oder der Lizenzschlüssel muss sagen, wessen Zahlungsart es ist',
}
