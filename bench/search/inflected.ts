/** Titles in many languages, each with a question: an inflected form, a form without article, or a part of a compound. */

/** Pairs by language: `title = question`, separated by semicolons. */
const PAIRS = {
  Japanese:
    'カタカナの歴史 = かたかな; らーめん博物館 = ラーメン; 横浜ラーメン横丁 = らーめん; コンピューター入門 = コンピュータ; サーバー管理 = サーバ; 國立國會圖書館 = 国立国会図書館; ' +
    '慶應義塾大学 = 慶応; 渡邊文庫 = 渡辺; 龍谷寺 = 竜谷寺; 東京タワー = とうきょうタワー 東京; 桜まつり = 桜; 蕎麦の本 = 蕎麦; すし職人 = スシ; ぎんざ通り = ギンザ; 澤田美術館 = 沢田',
  Chinese:
    '臺灣大學 = 台湾大学; 圖書館學 = 图书馆; 中國歷史博物館 = 中国历史; 东方广场 = 東方廣場; 汉语词典 = 漢語詞典; 電腦科學導論 = 电脑科学; 龙门石窟 = 龍門; 愛情故事 = 爱情; ' +
    '茶 = 茶; 龙井茶叶 = 茶; 長江三峽 = 长江; 飞机场 = 飛機場; 鐵路橋 = 铁路; 发展银行 = 發展; 音樂學院 = 音乐学院',
  Arabic:
    'المكتبة الوطنية = مكتبة; مدرسة الفنون = المدرسة; جامعة القاهرة = الجامعة; كتاب التاريخ = والكتاب; متحف = بالمتحف; الجزيرة الخضراء = جزيرة; تاريخ الطب = للطب; ' +
    'معلمون = المعلمين; سيارات قديمة = سيارة; قصة مدينة = المدينة; البيت الكبير = بيت كبير; نهر النيل = النهر; مسجد قرطبة = المسجد; الحديقة = حديقة; لغات = لغة',
  Finnish:
    'Lastenlääkäri = lääkäri; Rautatieasema = asema; Helsingin yliopisto = helsinki yliopisto; Kirjastoauto = auto; Suomen historia = suomi historia; Talvisota = sota; ' +
    'Järvet ja joet = järvi; Metsätyöt = metsätyö; Kauppatori = tori; Linnanmäki = linnanmäellä; Lentokenttä = lentokentän; Vanha kirkko = vanhassa kirkossa; Sairaalat = sairaala; Kahvikuppi = kuppi; Kesämökki = mökki',
  German:
    'Autobahn = bahn; Kinderarzt = arzt; Stadtbibliothek = bibliothek; Donaudampfschiff = dampfschiff; Häuser am See = haus; Die Gärten = garten; Bücher für Kinder = buch; Straßenbahn = strassenbahn; ' +
    'Straßenbahnfahrer = strassenbahn; Eisenbahnmuseum = museum; Das Schloss des Königs = könig; Alte Städte = stadt; Wanderungen in Bayern = wanderung; Großer Wald = großen; Rathausplatz = platz',
  Russian:
    'Московские улицы = улица; Библиотека имени Ленина = библиотеки; История городов = город; Большой театр = большого театра; Новые дома = новый дом; Русская литература = русской литературы; ' +
    'Озёра Карелии = озеро; Книга о музыке = музыка; Красная площадь = на красной площади; Железная дорога = железные дороги; Зелёный мост = мосты; Старая крепость = старой крепости; Учитель = учителя; Войны = война; Школа танцев = танцы',
  Greek:
    'Ιστορία της Ελλάδας = ελλαδα; Αρχαίοι ναοί = ναος; Βιβλιοθήκη = βιβλιοθηκης; Το νησί = νησια; Θέατρο Διονύσου = θεατρου; Οι δρόμοι = δρομος; Ελληνική γλώσσα = ελληνικης γλωσσας; ' +
    'Μουσείο Ακρόπολης = ακροπολη; Πόλεις = πολη; Μουσική = μουσικης; Σχολείο = σχολεια; Παλιά σπίτια = σπιτι; Θάλασσα = θαλασσες; Βουνά = βουνο; Ποταμός = ποταμου',
  Turkish:
    "İstanbul'un Tarihi = istanbul tarihi; Ankara'da Yaşam = ankara; Türkiye'nin Dağları = türkiye; Kapadokya = kapadokya'da; Kütüphaneler = kütüphane; Atatürk'ün Evi = atatürk; İzmir = izmir'den; Kitaplar = kitap; " +
    'Eski Köprü = köprüler; Çiçekler = çiçek; Deniz Kıyısı = denizin kıyısı; Okul = okullar; Müzesi = müze; Şehirler = şehir; Galata Kulesi = galata kule',
  Korean:
    '서울의 역사 = 서울; 한국어 사전 = 한국어를; 부산항 = 부산; 도서관 = 도서관에서; 경복궁 = 경복궁은; 바다 이야기 = 바다; 음악 학교 = 음악; 제주도 여행 = 제주도; 대학교 = 대학; 강 = 강; 김치 = 김치를; 하늘 = 하늘',
  French:
    "L'école des femmes = ecole; Les chevaux = cheval; Journaux anciens = journal; Châteaux de la Loire = château; L'Île au trésor = ile tresor; Beaux-arts = beaux arts; Les travaux = travail; Œuvres complètes = oeuvres; Hôpitaux = hôpital; Le bateau ivre = bateaux; Histoires = histoire; D'Artagnan = artagnan",
  Polish:
    'Historia Polski = polska; Warszawa = warszawie; Książki = książka; Zamek Królewski = zamku królewskiego; Biblioteka Narodowa = biblioteki narodowej; Góry = góra; Muzeum Wojska = muzeum wojsko; Stare miasto = starego miasta; Kraków = krakowie; Szkoła = szkoły; Łódź = lodz; Rzeka = rzeki',
  Spanish:
    'Las ciudades = ciudad; Canciones = canción; Árboles = árbol; Niños perdidos = niño; El corazón = corazon; Luces = luz; Catedrales = catedral; Montañas = montaña; Universidades = universidad; Ríos = río; Peces = pez; Flores = flor',
} as const

/** Title, and a question that should find it. */
export interface Pair {
  readonly language: string
  readonly title: string
  readonly text: string
}

/** Pairs of all languages, in table order. */
export const INFLECTED: readonly Pair[] = Object.entries(PAIRS).flatMap(([language, pairs]) =>
  pairs.split('; ').map((pair) => {
    const [title = '', text = ''] = pair.split(' = ')
    return { language, title, text }
  }),
)
