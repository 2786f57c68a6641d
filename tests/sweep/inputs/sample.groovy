class Account { int amount; synchronized void add(int n) { amount += n } }
def account = new Account()
def threads = (1..4).collect { n -> Thread.start { 100.times { account.add(n) } } }
threads*.join()
println account.amount
println((1..10).findAll { it % 2 == 0 }.collectEntries { [it, it * it] })
