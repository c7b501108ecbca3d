"""Sentences of many languages, written for the tests of their casing."""

TEXTS = {
    "de": """\
Die Straße nach Köln ist lang und die Häuser sind alt.
In der Straße vor dem Haus steht ein Auto.
Der Hund lief über die Straße zum Markt.
Die CDU und die SPD stritten am Montag in Berlin.
Am Montag traf sich die Spitze der CDU mit der Kanzlerin.
Die Spitze der Partei fuhr nach Köln.
Der Chef der SPD wohnt in Köln, der Chef der CDU in Berlin.
Wir essen gern Brot und trinken Wasser.
Das Essen im Haus war gut, das Wasser kalt.
Sie kommt mit dem Auto, er mit der Bahn.
Er sagte, dass die Bahn am Montag kommt.
Die Partei wählt am Montag einen Chef.
Das ist ein großes Haus mit einem großen Garten.
Kennen Sie Frau Weiß aus Köln?
Der Schnee ist weiß und das Haus ist groß.
""",
    "nl": """\
We gaan met de trein van Utrecht naar Amsterdam.
In IJsland is het koud en in Utrecht regent het.
Het IJsselmeer ligt ten noorden van Amsterdam.
Jan eet ijs met Anna uit IJsland.
Ze eten graag ijs als het warm is.
Hij woont al jaren in Amsterdam en zij in Utrecht.
's Avonds eten we brood met kaas.
Anna leest 's avonds een boek en 's morgens de krant.
We gaan 's avonds naar Utrecht, want 't is dan rustig.
Jan zegt dat 't goed is.
Het boek van Anna ligt op tafel.
De krant van Jan ligt op tafel.
Zij woont in Den Haag en werkt in Delft.
Ik heb 'n boek en 'k lees het graag.
""",
    "ga": """\
Tá sé ina chónaí i mBaile Átha Cliath anois.
Chuaigh Máire go Baile Átha Cliath inné.
Bhí an lá go breá i nGaillimh inné.
Tá Gaillimh ar an gcósta agus tá an fharraige garbh.
Labhair an tUachtarán leis an tSín inné.
Tá an tSín i bhfad ó Éirinn.
Tá Seán i bPort Láirge anois agus tá Máire sa bhaile.
Bhí Seán ag obair i gCorcaigh agus i mBaile Átha Cliath.
Tá muintir na hÉireann bródúil as an tír.
Tá fáilte romhat go hÉirinn.
Ní bhfuair sé an leabhar i gCorcaigh.
Bhí an aimsir go maith i mBaile Átha Cliath.
Tá an leabhar ag Máire agus tá an peann ag Seán.
""",
    "el": """\
Ο Γιώργος μένει στην Αθήνα με τη Μαρία.
Η Μαρία ζει στην Αθήνα και ο Νίκος στη Θεσσαλονίκη.
Το σπίτι του Νίκου είναι κοντά στη θάλασσα.
Ο ήλιος ανατέλλει πάνω από τη θάλασσα.
Χθες ο Γιώργος πήγε στη Θεσσαλονίκη με το τρένο.
Είναι ο άνθρωπος που μένει στην οδό Σταδίου.
Η οδός Σταδίου είναι στην Αθήνα.
Ο κόσμος είναι μεγάλος και ο Όλυμπος ψηλός.
Τα μάτια του Οδυσσέα είδαν τον κόσμο.
Ο Οδυσσέας γύρισε στην Ιθάκη.
Το βράδυ η Μαρία διαβάζει βιβλία ή ακούει μουσική.
""",
    "fr": """\
Nous habitons à Lyon depuis dix ans.
Marie habite à Paris et Jean à Lyon.
Elle a dit que le train part à midi.
Le train de Lyon arrive à Paris à midi.
L'homme de l'État parle à Marie.
L'État paie l'école, dit Jean.
Il est né à l'Île de Ré en mai.
À midi, Jean mange avec Marie.
Où est la gare de Lyon ?
Le soir, elle lit le journal.
École et travail sont loin, dit Marie.
Voici la maison de Jean-Pierre, l'ami de Marie.
""",
    "es": """\
Vivimos en Madrid desde hace diez años.
María vive en Sevilla y Pedro en Madrid.
Pedro dijo que el tren sale a las diez.
El tren de Sevilla llega a Madrid a las diez.
¿Dónde vive María?
¿Qué dice Pedro del tren?
¡Qué día tan bueno!
Ella pregunta dónde está la estación.
Hoy es lunes y mañana es martes.
Hola, dijo María, y Pedro dijo hola.
No sé qué hora es ni cómo se llama.
""",
    "ru": """\
Иван живёт в Москве, а Мария живёт в Киеве.
В 1990 г. он приехал в Москву.
Он родился в 1975 г. в Киеве и вырос в Москве.
Книга вышла в 2001 г. в Москве.
В 2003 г. вышла книга о Киеве.
Мы купили хлеб, сыр и т. д. в магазине.
Там есть книги, газеты и т. д. на столе.
Мария работает в США и часто ездит в Москву.
США и СССР подписали договор в Москве.
Дом стоит на ул. Ленина в Москве.
Иван живёт на ул. Пушкина рядом с магазином.
Это, т. е. договор, подписали в Киеве.
Мария читает газету, а Иван книгу.
""",
    "uk": """\
Іван живе у Києві, а Марія живе у Львові.
У 1990 р. він приїхав до Києва.
Він народився в 1975 р. у Львові й виріс у Києві.
Книга вийшла в 2001 р. у Києві.
У 2003 р. вийшла книга про Львів.
Ми купили хліб, сир і т. д. у крамниці.
Там є книги, газети і т. д. на столі.
Марія працює в США і часто їздить до Києва.
США та СРСР підписали договір у Києві.
Будинок стоїть на вул. Франка у Львові.
Іван живе на вул. Шевченка поруч із крамницею.
Об'єкт і п'ять яблук лежать на столі, каже Мар'яна.
Мар'яна читає газету, а Їжак спить.
""",
    "tr": """\
İstanbul ve Isparta büyük şehirler.
Ali İstanbul'da oturuyor, İnci Isparta'da.
Işık yandı ve İnci uyandı.
Ilık bir gün, dedi Ali.
İnci ile Işıl İzmir'e gitti.
Irmak kenarında bir ev var.
Ali dün İzmir'den geldi, ışık yoktu.
Bu iş için ılık su gerek, dedi İnci.
""",
    "az": """\
Bakı və İrəvan böyük şəhərlərdir.
Əli Bakıda yaşayır, İlqar Gəncədə.
İşıq yandı və İlqar oyandı.
Isti bir gün idi, dedi Əli.
İlqar dünən Gəncədən gəldi, işıq yox idi.
Qız Bakıya getdi və isti çay içdi.
""",
}


def text_of(language: str, times: int = 4) -> bytes:
    """Its sentences, several times over, since forms seen once are rare ones."""
    return (TEXTS[language] * times).encode()
