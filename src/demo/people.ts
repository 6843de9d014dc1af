/** Street, city, zip, country, two-letter code. */
type Address = readonly [street: string, city: string, zip: string, country: string, code: string]

export interface DemoPerson {
  readonly first: string
  readonly last: string
  readonly email: string
  readonly business: string
  readonly address: Address | null
}

const person = (
  first: string,
  last: string,
  mailbox: string,
  [business, ...address]: readonly [string, ...Address] | readonly [] = [],
): DemoPerson => ({
  first,
  last,
  email: mailbox + MADE_UP,
  business: business ?? '',
  address: address.length === 5 ? address : null,
})

/** Names under it are kept for examples (RFC 2606): nobody has an address there. */
const MADE_UP = '@example.com'

/** Whether an address is under the name for examples, as those of all whom the demo has invented are. */
export const isMadeUp = (email: string): boolean => email.toLowerCase().endsWith(MADE_UP)

/** Invented people, in the order in which they came. */
export const DEMO_PEOPLE: readonly DemoPerson[] = [
  person('Amara', 'Okafor', 'amara.okafor', [
    'Okafor Studio',
    '12 Marina Road',
    'Lagos',
    '100221',
    'Nigeria',
    'ng',
  ]),
  person('Юлія', 'Коваленко', 'yulia.kovalenko'),
  person('Lukas', 'Brückner', 'lukas.brueckner', [
    'Brückner Web',
    'Lindenallee 4',
    'Leipzig',
    '04109',
    'Germany',
    'de',
  ]),
  person('美咲', '佐藤', 'misaki.sato'),
  person('Camille', 'Lefèvre', 'camille.lefevre', [
    'Atelier Lefèvre',
    '8 rue des Tilleuls',
    'Lyon',
    '69002',
    'France',
    'fr',
  ]),
  person('محمد', 'الحسيني', 'm.alhusseini'),
  person('Grace', "O'Donnell", 'grace.odonnell', [
    'Harbour Sites',
    '3 Quay Street',
    'Galway',
    'H91 E2K7',
    'Ireland',
    'ie',
  ]),
  person('伟', '陈', 'wei.chen'),
  person('अनन्या', 'शर्मा', 'ananya.sharma', ['Sharma Labs', '21 MG Road', 'Pune', '411001', 'India', 'in']),
  person('Tomás', 'Ibáñez', 'tomas.ibanez'),
  person('Ελένη', 'Παπαδάκη', 'eleni.papadaki', [
    'Aegean Digital',
    'Odos Ermou 15',
    'Athens',
    '105 63',
    'Greece',
    'gr',
  ]),
  person('Jakub', 'Świątek', 'jakub.swiatek'),
  person('지우', '김', 'jiwoo.kim', ['Hanbit Soft', '5 Sejong-daero', 'Seoul', '04524', 'South Korea', 'kr']),
  person('Noa', 'בן־דוד', 'noa.bendavid'),
  person('Emma', 'Thompson', 'emma.thompson', [
    'Thompson & Daughters',
    '77 Elm Street',
    'Portland',
    '97205',
    'United States',
    'us',
  ]),
  person('Дмитрий', 'Соколов', 'dmitry.sokolov'),
  person('Ingrid', 'Ødegård', 'ingrid.odegard', [
    'Fjordkode',
    'Storgata 9',
    'Bergen',
    '5015',
    'Norway',
    'no',
  ]),
  person('สมชาย', 'ใจดี', 'somchai.jaidee'),
  person('Mateus', 'Araújo', 'mateus.araujo', [
    'Araújo Agência',
    'Rua das Flores 120',
    'Curitiba',
    '80020-090',
    'Brazil',
    'br',
  ]),
  person('თამარ', 'გელაშვილი', 'tamar.gelashvili'),
  person('Oliver', 'Whitfield', 'oliver.whitfield', [
    'Whitfield Press',
    '14 Mill Lane',
    'Bristol',
    'BS1 4DJ',
    'United Kingdom',
    'gb',
  ]),
  person('Nguyễn', 'Thị Mai', 'mai.nguyen'),
  person('Արամ', 'Պետրոսյան', 'aram.petrosyan'),
  person('Sofie', 'van der Berg', 'sofie.vandenberg', [
    'Studio Noord',
    'Prinsengracht 200',
    'Amsterdam',
    '1016 HD',
    'Netherlands',
    'nl',
  ]),
  person('রহিম', 'উদ্দিন', 'rahim.uddin'),
  person('Giulia', 'Ferraro', 'giulia.ferraro', [
    'Ferraro Grafica',
    'Via Garibaldi 31',
    'Torino',
    '10122',
    'Italy',
    'it',
  ]),
  person('Kofi', 'Mensah', 'kofi.mensah'),
  person('கவிதா', 'ராமன்', 'kavitha.raman'),
  person('Zeynep', 'Yıldız', 'zeynep.yildiz', [
    'Yıldız Yazılım',
    'Atatürk Caddesi 40',
    'İzmir',
    '35210',
    'Türkiye',
    'tr',
  ]),
  person('አበበ', 'ተስፋዬ', 'abebe.tesfaye'),
  person('Liam', 'MacKenzie', 'liam.mackenzie', [
    'Northern Plugins',
    '250 Maple Avenue',
    'Halifax',
    'B3J 1S9',
    'Canada',
    'ca',
  ]),
  person('翔太', '高橋', 'shota.takahashi'),
  person('Katarína', 'Horváthová', 'katarina.horvathova'),
  person('فاطمة', 'الزهراني', 'fatima.alzahrani', [
    'Najm Media',
    'King Fahd Road 8',
    'Riyadh',
    '12211',
    'Saudi Arabia',
    'sa',
  ]),
  person('Sione', 'Taufa', 'sione.taufa'),
  person('Björn', 'Þórsson', 'bjorn.thorsson', [
    'Hraun ehf.',
    'Laugavegur 22',
    'Reykjavík',
    '101',
    'Iceland',
    'is',
  ]),
  person('雅婷', '林', 'yating.lin'),
  person('Priya', 'Naidoo', 'priya.naidoo', [
    'Table Bay Tech',
    '60 Long Street',
    'Cape Town',
    '8001',
    'South Africa',
    'za',
  ]),
  person('Андрей', 'Петров', 'andrey.petrov'),
  person('Lucía', 'Fernández', 'lucia.fernandez', [
    'Sur Digital',
    'Avenida Corrientes 900',
    'Buenos Aires',
    'C1043',
    'Argentina',
    'ar',
  ]),
  person('Minh', 'Trần', 'minh.tran'),
  person('Chloe', 'Anderson', 'chloe.anderson', [
    'Coastal Code',
    '18 Harbour Parade',
    'Hobart',
    '7000',
    'Australia',
    'au',
  ]),
  person('Sami', 'Väisänen', 'sami.vaisanen'),
  person('دانیال', 'رضایی', 'danial.rezaei'),
  person('Marie', 'Dvořáková', 'marie.dvorakova', [
    'Dvořák Weby',
    'Národní 5',
    'Praha',
    '110 00',
    'Czechia',
    'cz',
  ]),
  person('민준', '박', 'minjun.park'),
  person('Ana', 'Petrović', 'ana.petrovic'),
  person('Henrique', 'Conceição', 'henrique.conceicao', [
    'Maré Alta',
    'Rua do Alecrim 44',
    'Lisboa',
    '1200-018',
    'Portugal',
    'pt',
  ]),
  person('Aroha', 'Ngata', 'aroha.ngata'),
  person('Fatou', 'Diallo', 'fatou.diallo', [
    'Teranga Labs',
    '9 avenue Pompidou',
    'Dakar',
    '11000',
    'Senegal',
    'sn',
  ]),
]

/** Of the people by their place in the list. */
export const emailOf = (person: number): string => DEMO_PEOPLE[person]?.email ?? ''

export const countryOf = (person: number): string => DEMO_PEOPLE[person]?.address?.[4] ?? 'us'
