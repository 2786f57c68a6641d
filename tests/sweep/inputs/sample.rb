total = 0
lock = Mutex.new
(1..4).map { |n| Thread.new { 100.times { lock.synchronize { total += n } } } }.each(&:join)
puts total
puts (1..20).select(&:even?).map { |n| n * n }.sum
